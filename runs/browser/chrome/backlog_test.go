package chrome_test

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// serve connects a client that is not the ordinary one.
func serve(t testing.TB, s browser.Session, c browser.Client) (done chan error) {
	t.Helper()
	done = make(chan error, 1)
	go func() { done <- s.Serve(context.Background(), c) }()
	return done
}

// idleClient is a client that has nothing to say.
func idleClient(t testing.TB) *rawClient {
	return &rawClient{t: t, in: make(chan []byte), left: make(chan struct{})}
}

// When too much waits for all clients, the one that reads least has to go.
func TestTheClientThatMostWaitsForIsDisconnected(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a flood of messages")
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Clients.Unread = 200_000 })
	s, other := chrometest.Session(t, p), chrometest.Session(t, p)
	slow := &silent{rawClient: idleClient(t)}
	left := &silent{rawClient: idleClient(t)}
	done, leftDone := serve(t, s, slow), serve(t, s, left)
	left.in <- []byte(`{"id":1,"method":"Browser.getVersion"}`)
	reading := connect(t, other)
	for err := error(nil); err == nil; {
		select {
		case slow.in <- []byte(`{"id":1,"method":"Browser.getVersion"}`):
		case err = <-done:
			if !errtypes.Is(err, errtypes.RateLimited) || !strings.Contains(err.Error(), "most of it for this one") {
				t.Errorf("it ended with %v", err)
			}
		}
	}
	reading.must("", "Browser.getVersion", nil)
	select {
	case err := <-leftDone:
		t.Errorf("the other client, which reads nothing either, ended with %v", err)
	default:
	}
	close(left.left)
	<-leftDone
	reading.leave()
	if n := chrome.Unread(p); n != 0 {
		t.Errorf("%d bytes wait for nobody", n)
	}
}

// counting is a client that counts what it hears of the console.
type counting struct {
	*rawClient
	said atomic.Int64
	done chan struct{}
	most int64
}

func (c *counting) Write(ctx context.Context, frame []byte) error {
	if bytes.HasPrefix(frame, []byte(`{"method":"Runtime.consoleAPICalled"`)) {
		if c.said.Add(1) == c.most {
			close(c.done)
		}
		return nil
	}
	return c.rawClient.Write(ctx, frame)
}

const floods = 100_000

const flood = `<title>calm</title><button onclick="for (let i = 0; i < 100000; i++) console.log('x'.repeat(2000) + i); document.title = 'flooded'">Flood</button>`

// A client that wants to hear a flooded console hears all of it. Another
// session can work meanwhile.
func TestAClientHearsAFlood(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "200 MB of messages")
	srv := pages(t, map[string]string{"/": flood, "/other": "<title>Other</title>"})
	p := chrometest.Provider(t)
	s, other := chrometest.Session(t, p), chrometest.Session(t, p)
	navigate(t, s, srv.URL+"/")
	c := &counting{rawClient: idleClient(t), done: make(chan struct{}), most: floods}
	c.answers, c.news = map[int64]chan reply{}, make(chan struct{}, 1)
	ended := serve(t, s, c)
	page, _ := c.page()
	c.must(page, "Runtime.enable", nil)
	c.start(page, "Runtime.evaluate", map[string]any{"expression": "document.querySelector('button').click()"})
	visits := 0
	begun := time.Now()
	for flooding := true; flooding; visits++ {
		navigate(t, other, srv.URL+"/other")
		select {
		case <-c.done:
			flooding = false
		case err := <-ended:
			t.Fatalf("the client's connection ended: %v", err)
		default:
		}
	}
	t.Logf("%d visits beside %d messages in %s", visits, c.said.Load(), time.Since(begun))
	close(c.left)
	<-ended
}

// A client that wants to hear a flood and does not read costs no more than may
// wait.
func TestAFloodThatNobodyReadsIsBounded(t *testing.T) {
	srv := pages(t, map[string]string{"/": flood, "/other": "<title>Other</title>"})
	const most = 16 << 20
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Clients.Unread = most })
	s, other := chrometest.Session(t, p), chrometest.Session(t, p)
	navigate(t, s, srv.URL+"/")
	before := heap()
	c := &deafening{rawClient: idleClient(t)}
	c.answers, c.news = map[int64]chan reply{}, make(chan struct{}, 1)
	ended := serve(t, s, c)
	page, _ := c.page()
	c.must(page, "Runtime.enable", nil)
	c.deaf.Store(true)
	c.start(page, "Runtime.evaluate", map[string]any{"expression": "document.querySelector('button').click()"})
	navigate(t, other, srv.URL+"/other")
	peak := uint64(0)
	for err := error(nil); err == nil; {
		peak = max(peak, heap())
		select {
		case err = <-ended:
			if !errtypes.Is(err, errtypes.RateLimited) {
				t.Errorf("it ended with %v", err)
			}
		default:
		}
	}
	if grown := int64(peak) - int64(before); grown > 4*most {
		t.Errorf("it took %d MiB", grown>>20)
	}
	navigate(t, other, srv.URL+"/other")
}

// deafening is a client that stops reading.
type deafening struct {
	*rawClient
	deaf atomic.Bool
}

func (c *deafening) Write(ctx context.Context, frame []byte) error {
	if !c.deaf.Load() {
		return c.rawClient.Write(ctx, frame)
	}
	<-ctx.Done()
	return context.Cause(ctx)
}

// heap is what is in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
