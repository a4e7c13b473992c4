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

// question is when somebody asked, and from which address: that of the connection.
type question struct {
	time time.Time
	from string
}

var good = answer{200, nil, "a\nb\n"}

// serve gives these answers, each once and in their order, and then the last one again. It notes who asked, and when.
func serve(t *testing.T, answers ...answer) (string, func() []question) {
	var lock sync.Mutex
	var asked []question
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		next := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		asked = append(asked, question{time.Now(), request.RemoteAddr})
		for name, value := range next.header {
			writer.Header().Set(name, value)
		}
		writer.WriteHeader(next.status)
		writer.Write([]byte(next.body))
	}))
	t.Cleanup(server.CloseClientConnections)
	return server.URL, func() []question {
		lock.Lock()
		defer lock.Unlock()
		return append([]question(nil), asked...)
	}
}

func TestShouldAskOnTheSameConnectionUntilItIsRefused(t *testing.T) {
	url, asked := serve(t, good, answer{503, nil, "fenced"}, good)
	ids := From(url, 1)

	for i := 0; i < 4; i++ {
		<-ids
	}
	questions := asked()
	if questions[0].from != questions[1].from {
		t.Error("each request has a connection of its own")
	}
	if questions[1].from == questions[2].from {
		t.Error("asked again on the connection of the refusal")
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
	told := answer{503, map[string]string{"Retry-After": "1"}, ""}
	url, asked := serve(t, told, answer{503, nil, ""}, answer{502, nil, ""}, answer{429, nil, ""}, cut, good)

	if got := <-From(url, 10); got != "a" {
		t.Fatal(got)
	}
	questions := asked()
	for i, least := range []time.Duration{1000, 100, 100, 100, 100} {
		if waited := questions[i+1].time.Sub(questions[i].time); waited < least*time.Millisecond {
			t.Errorf("asked again after %s, not after %d ms", waited, least)
		}
	}
}

func TestShouldNotWaitForHoursWhereAnotherReplicaMayServe(t *testing.T) {
	url, _ := serve(t, answer{503, map[string]string{"Retry-After": "3600"}, ""})

	if _, seconds, err := fetch(url); seconds != 10 || err == nil {
		t.Errorf("waits %g s after %v", seconds, err)
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
