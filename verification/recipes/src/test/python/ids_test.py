"""Tests of ids.py, which is the code of docs/programs.md. The environment's SERVICE is the address of a service."""

import http.server
import os
import signal
import threading
import unittest
import urllib.error
from unittest import mock

import ids

SERVICE = os.environ["SERVICE"]
GOOD = (200, {}, b"a\nb\n")
CUT = (200, {"Content-Length": "100"}, b"a\nb")


class FaultyServer(http.server.ThreadingHTTPServer):
    """Gives these answers, each once and in their order."""

    def __init__(self, *answers):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.base = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        status, headers, body = self.server.answers.pop(0)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class FakeTime:
    """Time passes while somebody sleeps, and only then."""

    def __init__(self):
        self.now, self.waits = 0, []

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.waits.append(seconds)
        self.now += seconds


class FaultsTest(unittest.TestCase):
    def setUp(self):
        self.time = FakeTime()
        patched = mock.patch.object(ids, "time", self.time)
        patched.start()
        self.addCleanup(patched.stop)

    def served(self, *answers):
        server = FaultyServer(*answers)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def test_should_hand_over_the_ids_of_an_answer_in_its_order(self):
        server = self.served(GOOD, (200, {}, b"c\n"))
        source = ids.Ids("sno", server.base)

        self.assertEqual(["a", "b", "c"], [source.next() for _ in range(3)])

    def test_should_wait_as_long_as_it_is_told_and_somewhat_longer(self):
        date = (503, {"Retry-After": "Wed, 02 Dec 2026 08:00:00 GMT"}, b"")
        limited = (429, {"Retry-After": "0"}, b"")
        server = self.served((503, {"Retry-After": "7"}, b""), (503, {}, b""), (502, {}, b""), date, limited, CUT, GOOD)

        self.assertEqual("a", ids.Ids("sno", server.base).next())
        for least, wait in zip([7, 0.1, 0.1, 0.1, 0.1, 0.1], self.time.waits, strict=True):
            self.assertTrue(least <= wait < 2 * least, self.time.waits)
        self.assertEqual(5, len(set(self.time.waits[1:])), "clients that are refused together do not come back together")

    def test_should_give_up_when_asking_again_is_of_no_use(self):
        server = self.served((400, {}, b""))

        with self.assertRaises(urllib.error.HTTPError) as refused:
            ids.Ids("sno", server.base).next()
        self.assertEqual(400, refused.exception.code)
        self.assertEqual([], self.time.waits)

    def test_should_give_up_when_patience_ends(self):
        server = self.served((503, {"Retry-After": "7"}, b""))

        with self.assertRaises(urllib.error.HTTPError) as refused:
            ids.Ids("sno", server.base, patience=5).next()
        self.assertEqual(503, refused.exception.code)
        self.assertEqual([], self.time.waits)

    def test_should_give_up_when_nobody_listens(self):
        server = self.served()
        server.shutdown()
        server.server_close()

        with self.assertRaises(OSError):
            ids.Ids("sno", server.base, patience=5).next()
        self.assertTrue(4.8 <= self.time.now <= 5, self.time.now)


class ServiceTest(unittest.TestCase):
    def test_should_draw_no_id_twice_when_threads_share_the_buffer(self):
        source = ids.Ids("sno", SERVICE, batch=300)
        drawn = [[] for _ in range(8)]
        threads = [threading.Thread(target=lambda own=own: own.extend(source.next() for _ in range(2500))) for own in drawn]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        self.assertEqual(20_000, len({each for own in drawn for each in own}))

    def test_should_share_neither_buffer_nor_lock_with_a_copy_of_the_process(self):
        source = ids.Ids("sno", SERVICE, batch=100)
        first = source.next()
        held, forked = threading.Event(), threading.Event()

        def hold():
            with source.lock:
                held.set()
                forked.wait()

        threading.Thread(target=hold).start()
        held.wait()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                signal.alarm(60)  # a lock that nobody opens
                os.write(write, "\n".join(source.next() for _ in range(150)).encode())
            finally:
                os._exit(0)
        forked.set()
        os.close(write)
        with os.fdopen(read) as pipe:
            theirs = pipe.read().split()
        os.waitpid(child, 0)
        ours = [source.next() for _ in range(150)]

        self.assertEqual(150, len(theirs))
        self.assertEqual(301, len({first, *ours, *theirs}))


if __name__ == "__main__":
    unittest.main()
