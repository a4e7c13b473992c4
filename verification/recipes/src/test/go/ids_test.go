package ids

import (
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"
)

type answer struct {
	status int
	header map[string]string
	body   string
}

var good = answer{200, nil, "a\nb\n"}

// serve gives these answers, each once and in their order, and then the last one again. It notes when it was asked.
func serve(t *testing.T, answers ...answer) (string, func() []time.Time) {
	var lock sync.Mutex
	var asked []time.Time
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		next := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		asked = append(asked, time.Now())
		for name, value := range next.header {
			writer.Header().Set(name, value)
		}
		writer.WriteHeader(next.status)
		writer.Write([]byte(next.body))
	}))
	t.Cleanup(server.CloseClientConnections)
	return server.URL, func() []time.Time {
		lock.Lock()
		defer lock.Unlock()
		return append([]time.Time(nil), asked...)
	}
}

func TestShouldHandOverTheIdsOfAnAnswerInItsOrder(t *testing.T) {
	url, _ := serve(t, good, answer{200, nil, "c\n"})
	ids := From(url, 10)

	for _, expected := range []string{"a", "b", "c"} {
		if got := <-ids; got != expected {
			t.Fatalf("%s, not %s", got, expected)
		}
	}
}

func TestShouldWaitAtLeastAsLongAsItIsTold(t *testing.T) {
	cut := answer{200, map[string]string{"Content-Length": "100"}, "a\nb"}
	url, asked := serve(t, answer{503, map[string]string{"Retry-After": "1"}, ""}, answer{503, nil, ""}, answer{502, nil, ""}, cut, good)

	if got := <-From(url, 10); got != "a" {
		t.Fatal(got)
	}
	times := asked()
	for i, least := range []time.Duration{time.Second, 100 * time.Millisecond, 100 * time.Millisecond, 100 * time.Millisecond} {
		if waited := times[i+1].Sub(times[i]); waited < least {
			t.Errorf("asked again after %s, not after %s", waited, least)
		}
	}
}

func TestShouldCloseTheChannelWhenAskingAgainIsOfNoUse(t *testing.T) {
	url, asked := serve(t, answer{400, nil, "count: 1 to 10"})

	if id, open := <-From(url, 10); open {
		t.Fatal(id)
	}
	if len(asked()) != 1 {
		t.Errorf("asked %d times", len(asked()))
	}
}

func TestShouldDrawNoIdTwiceWhenGoroutinesShareTheChannel(t *testing.T) {
	service := os.Getenv("SERVICE")
	if service == "" {
		t.Fatal("SERVICE is not set")
	}
	ids := From(service+"/ids/sno", 300)
	var all sync.Map
	var done sync.WaitGroup
	for i := 0; i < 8; i++ {
		done.Add(1)
		go func() {
			defer done.Done()
			for j := 0; j < 2500; j++ {
				id, open := <-ids
				if _, again := all.LoadOrStore(id, true); again || !open {
					t.Errorf("%q again: %t, open: %t", id, again, open)
					return
				}
			}
		}()
	}
	done.Wait()
}
