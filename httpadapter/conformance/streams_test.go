package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/storage/projects"
)

// stepping is a model that takes a step for each value that it is given, and ends
// the run when there are no more. A step is two messages.
type stepping struct {
	*streaming
}

func (s stepping) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	call := model.Call(fmt.Sprint("c", r.Step), "done", map[string]any{"success": true, "result": map[string]any{}})
	select {
	case s.asked <- struct{}{}:
	default: // nobody counts
	}
	select {
	case text, more := <-s.steps:
		if more {
			call = model.Call(fmt.Sprint("c", r.Step), "note_answer", map[string]any{"answer": map[string]any{"text": text, "step": r.Step}})
		}
	case <-ctx.Done():
		return model.Response{}, ctx.Err()
	}
	return model.Response{Content: []model.Part{call}, Finish: model.FinishCalls}, nil
}

// streaming is a served world whose runs take steps when they are told to.
type streaming struct {
	*world
	steps   chan string
	address string
}

func withStreams(t *testing.T, o httpadapter.Options) *streaming {
	s := &streaming{steps: make(chan string)}
	s.world = build(t, config{adapter: o, realTime: true, workers: drover.WorkersAlways, more: func(o *drover.Options) {
		o.Model = stepping{s}
		o.Runs.MaxSteps, o.Runs.Concurrent = 500, 10
	}})
	s.asked = make(chan struct{}, 10)
	s.address = serve(t, s.handler)
	return s
}

func (s *streaming) run(t *testing.T) runs.Run {
	t.Helper()
	return must(s.Runs.Create(s.asDefault(t), runs.Create{Task: "step"}))(t)
}

// event is one of a stream; a comment has nothing but its text.
type event struct{ name, id, data, comment string }

// stream is one that is read.
type stream struct {
	t    testing.TB
	res  *http.Response
	in   *bufio.Reader
	stop context.CancelFunc
}

func (s *streaming) follow(t testing.TB, id, last string) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	req := must(http.NewRequestWithContext(ctx, "GET", "http://"+s.address+"/v1/agents/runs/"+id+"/messages/stream", nil))(t)
	req.Header.Set("X-SVC-API-Key", s.words["<key>"])
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	res := must(transport.RoundTrip(req))(t)
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("%d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	st := &stream{t, res, bufio.NewReader(res.Body), cancel}
	t.Cleanup(st.leave)
	return st
}

func (s *stream) leave() {
	s.stop()
	s.res.Body.Close()
}

// next reads an event; the error is that of the connection.
func (s *stream) next() (e event, err error) {
	for {
		line, err := s.in.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" {
			return e, nil
		}
		switch name, value, _ := strings.Cut(line, ":"); name {
		case "event":
			e.name = strings.TrimSpace(value)
		case "id":
			e.id = strings.TrimSpace(value)
		case "data":
			e.data = strings.TrimSpace(value)
		case "":
			e.comment = ":" + value
		default:
			s.t.Errorf("a line %q", line)
		}
	}
}

// take reads a number of messages.
func (s *stream) take(n int) (all []event) {
	s.t.Helper()
	for range n {
		e, err := s.next()
		if err != nil || e.name != "message" {
			s.t.Fatalf("%+v, %v", e, err)
		}
		all = append(all, e)
	}
	return all
}

// rest reads the messages that are left, and the end.
func (s *stream) rest() (all []event, end event) {
	s.t.Helper()
	for {
		e, err := s.next()
		if err != nil {
			s.t.Fatalf("after %d messages: %v", len(all), err)
		}
		if e.name == "end" {
			if more, err := s.next(); err != io.EOF {
				s.t.Errorf("behind the end: %+v, %v", more, err)
			}
			return all, e
		}
		all = append(all, e)
	}
}

// get returns what a path answers, in the least space.
func (s *streaming) get(t testing.TB, path string) json.RawMessage {
	t.Helper()
	var raw json.RawMessage
	asker{t.(*testing.T), "http://" + s.address, s.words["<key>"]}.ask("GET", path, "", "", &raw)
	return raw
}

// listed are the messages of a run as events, as the list has them.
func (s *streaming) listed(t testing.TB, id string) (all []event) {
	t.Helper()
	var page struct{ Data []json.RawMessage }
	if err := json.Unmarshal(s.get(t, "/v1/agents/runs/"+id+"/messages?all=true"), &page); err != nil {
		t.Fatal(err)
	}
	for _, raw := range page.Data {
		var m struct{ ID string }
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		all = append(all, event{name: "message", id: m.ID, data: string(raw)})
	}
	return all
}

// sameEvents holds what was streamed against what is listed.
func (s *streaming) sameEvents(t testing.TB, id string, got []event, end event) {
	t.Helper()
	if diff := cmp.Diff(s.listed(t, id), got, cmp.AllowUnexported(event{})); diff != "" {
		t.Errorf("the stream (+) has other messages than the list (-): %s", diff)
	}
	if want := strings.TrimSpace(string(s.get(t, "/v1/agents/runs/"+id))); end.data != want || end.id != "" {
		t.Errorf("the end: %+v, the run: %s", end, want)
	}
}

// A client sees each message as it is written, leaves, and comes back for the
// rest: nothing is lost, nothing comes twice.
func TestAStreamIsResumedInTheMiddle(t *testing.T) {
	t.Parallel()
	s := withStreams(t, httpadapter.Options{})
	r := s.run(t)
	first := s.follow(t, r.ID, "")
	s.steps <- "one"
	got := first.take(2)
	s.steps <- "two"
	got = append(got, first.take(1)...)
	first.leave()
	s.steps <- "three"
	second := s.follow(t, r.ID, got[2].id)
	got = append(got, second.take(3)...)
	close(s.steps)
	rest, end := second.rest()
	s.sameEvents(t, r.ID, append(got, rest...), end)
	if !strings.Contains(end.data, `"COMPLETED"`) {
		t.Error(end.data)
	}
	again, end := s.follow(t, r.ID, "").rest()
	s.sameEvents(t, r.ID, again, end)
	last, _ := s.follow(t, r.ID, again[len(again)-1].id).rest()
	if len(last) != 0 {
		t.Errorf("behind the last message: %+v", last)
	}
}

// Fifty streams of one run see the same.
func TestManyStreams(t *testing.T) {
	t.Parallel()
	s := withStreams(t, httpadapter.Options{})
	r := s.run(t)
	var all []*stream
	for range 50 {
		all = append(all, s.follow(t, r.ID, ""))
	}
	for i := range 5 {
		s.steps <- fmt.Sprint(i)
	}
	close(s.steps)
	got, end := all[0].rest()
	s.sameEvents(t, r.ID, got, end)
	for i, st := range all[1:] {
		if again, e := st.rest(); !slices.Equal(again, got) || e != end {
			t.Errorf("stream %d has %d messages, not the %d of the first, or others, and ends with %+v", i+1, len(again), len(got), e)
		}
	}
}

// narrow is a listener whose connections take little ahead.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(4 << 10)
	}
	return c, err
}

// A client that does not read holds up nobody but itself, neither another stream
// nor the end of the service.
func TestASlowReaderHoldsItsOwnStream(t *testing.T) {
	t.Parallel()
	s := withStreams(t, httpadapter.Options{})
	l := narrow{must(net.Listen("tcp", "127.0.0.1:0"))(t)}
	server := httpadapter.Server(s.handler, discard)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	r := s.run(t)
	slow := s.neverReads(t, l.Addr().String(), r.ID)
	quick := s.follow(t, r.ID, "")
	for i := range 10 {
		s.steps <- fmt.Sprint(i, strings.Repeat("x", 60_000))
	}
	close(s.steps)
	got, end := quick.rest()
	s.sameEvents(t, r.ID, got, end)
	s.StopAccepting()
	if err := server.Shutdown(t.Context()); err != nil { // waits for the stream
		t.Error(err)
	}
	<-ended
	if sent, err := io.Copy(io.Discard, slow); err == nil && sent > 500_000 {
		t.Errorf("the slow client has got all of it, %d bytes", sent)
	}
}

// neverReads asks for a stream and leaves the answer where it is.
func (s *streaming) neverReads(t *testing.T, address, id string) net.Conn {
	t.Helper()
	conn := must(net.Dial("tcp", address))(t)
	t.Cleanup(func() { conn.Close() })
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET /v1/agents/runs/%s/messages/stream HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: %s\r\n\r\n", id, s.words["<key>"])
	return conn
}

// A stream ends without the event "end" as soon as the service accepts nothing
// more, while its run goes on.
func TestAStreamEndsWithTheService(t *testing.T) {
	t.Parallel()
	s := withStreams(t, httpadapter.Options{})
	r := s.run(t)
	st := s.follow(t, r.ID, "")
	s.steps <- "one"
	st.take(2)
	s.StopAccepting()
	if e, err := st.next(); err != io.EOF {
		t.Errorf("%+v, %v", e, err)
	}
	if again := must(s.Runs.Get(s.asDefault(t), r.ID))(t); again.Status != runs.Running {
		t.Errorf("the run is %s", again.Status)
	}
	close(s.steps)
}

// A project has so many streams, and a place comes free when a client leaves.
func TestStreamsAreLimited(t *testing.T) {
	t.Parallel()
	s := withStreams(t, httpadapter.Options{MaxStreams: 2})
	r := s.run(t)
	s.steps <- "one"
	first := s.follow(t, r.ID, "")
	s.follow(t, r.ID, "").take(2)
	ask := func() int {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		req := must(http.NewRequestWithContext(ctx, "GET", "http://"+s.address+"/v1/agents/runs/"+r.ID+"/messages/stream", nil))(t)
		req.Header.Set("X-SVC-API-Key", s.words["<key>"])
		res := must((&http.Transport{DisableKeepAlives: true}).RoundTrip(req))(t)
		res.Body.Close()
		return res.StatusCode
	}
	if status := ask(); status != http.StatusTooManyRequests {
		t.Errorf("the third: %d", status)
	}
	first.take(2)
	first.leave()
	for status := 0; status != http.StatusOK; status = ask() { // the server notices by itself
		if t.Context().Err() != nil {
			t.Fatal("the place is not given back")
		}
	}
	close(s.steps)
}

// A stream on which nothing happens gives a sign of life every 15 seconds, as long
// as its key is good.
func TestAQuietStreamLives(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC))
	s := withStreams(t, httpadapter.Options{Clock: c})
	r := s.run(t)
	k, secret, err := s.Projects.CreateKey(t.Context(), projects.Default, "to be revoked")
	if err != nil {
		t.Fatal(err)
	}
	s.words["<key>"] = secret
	st := s.follow(t, r.ID, "")
	for range 3 {
		c.WaitForTimers(1)
		c.Advance(15 * time.Second)
		if e, err := st.next(); err != nil || e != (event{comment: ":"}) {
			t.Errorf("%+v, %v", e, err)
		}
	}
	must(s.Projects.RevokeKey(t.Context(), k.ID))(t)
	c.WaitForTimers(1)
	c.Advance(15 * time.Second)
	if e, err := st.next(); err == nil || err == io.EOF {
		t.Errorf("with a revoked key: %+v, %v", e, err)
	}
	close(s.steps)
}
