package provider

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

// reaching takes events that are called by how far an answer has come.
func reaching(all *[]string) func([]byte) (Reach, error) {
	return func(data []byte) (Reach, error) {
		*all = append(*all, string(data))
		return map[string]Reach{"finished": Finished, "whole": Whole}[string(data)], nil
	}
}

// An answer whose last words have come is good, though the server never ends it.
func TestAFinishedAnswerOfNoEnd(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		pass time.Duration
		want string // empty for an error
	}{
		"open":            {"data: a\n\ndata: finished\n\ndata: usage\n\n", tailWait, "a finished usage"},
		"within an event": {"data: finished\n\ndata: us", tailWait, "finished"},
		"the mark alone":  {"data: a\n\ndata: whole\n\ndata: b\n\n", drainWait, "a whole"},
		"not finished":    {"data: a\n\n", time.Minute, ""},
	} {
		t.Run(name, func(t *testing.T) {
			clk, read := clock.NewManual(time.Now()), make(chan struct{})
			client := serve(t, Options{Clock: clk}, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, c.body)
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			})
			a, err := client.Post(t.Context(), "x", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			a.res.Body = &told{ReadCloser: a.res.Body, read: read, left: len(c.body)}
			var got []string
			done := make(chan error, 1)
			go func() { done <- a.Each(reaching(&got)) }()
			<-read
			clk.Advance(c.pass - time.Millisecond)
			select {
			case err := <-done:
				t.Fatalf("it ended early: %v", err)
			default:
			}
			clk.Advance(time.Millisecond)
			err = <-done
			if c.want == "" {
				if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorNetwork {
					t.Errorf("%v", err)
				}
			} else if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// told tells when the reader waits for more than there is.
type told struct {
	io.ReadCloser
	read chan struct{}
	left int
}

func (b *told) Read(p []byte) (int, error) {
	if b.left == 0 {
		close(b.read)
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= n
	return n, err
}

func TestAFinishedAnswerWhoseConnectionBreaks(t *testing.T) {
	client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: finished\n\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	a, err := client.Post(t.Context(), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var got []string
	if err := a.Each(reaching(&got)); err != nil || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
}

// Who asks again needs no new connection.
func TestTheConnectionServesAgain(t *testing.T) {
	peers := map[string]bool{}
	client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		peers[r.RemoteAddr] = true
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: whole\n\n")
		w.(http.Flusher).Flush()
	})
	for range 5 {
		a, err := client.Post(t.Context(), "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if err := a.Each(reaching(&got)); err != nil {
			t.Fatal(err)
		}
		a.Close()
	}
	if len(peers) != 1 {
		t.Errorf("%d connections", len(peers))
	}
}
