package conformance

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/actors"
)

// Who gives up waiting for a run leaves it running.
func TestAnAbandonedRunGoesOn(t *testing.T) {
	t.Parallel()
	p := startPlatform(t, actors.Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.address+"/v2/actor-tasks/default~stuck-task/run-sync", nil)
		if err == nil {
			r.Header.Set("Authorization", "Bearer "+p.words["<key>"])
			_, err = http.DefaultClient.Do(r)
		}
		gone <- err
	}()
	id := <-p.atWork
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller: %v", err)
	}
	if _, body := p.send(t.Context(), t, "GET", "actor-runs/"+id+"?waitForFinish=0.2", "", nil); !strings.Contains(body, `"status":"RUNNING"`) {
		t.Errorf("the run: %s", body)
	}
	if _, body := p.send(t.Context(), t, "POST", "actor-runs/"+id+"/abort?gracefully=true", "", nil); !strings.Contains(body, `"status":"ABORTING"`) {
		t.Errorf("aborted: %s", body)
	}
	if r := must(p.Actors.Wait(p.asDefault(t), id, -1))(t); r.Status != actors.Aborted {
		t.Errorf("in the end it is %s", r.Status)
	}
}

// A wait for the end of a run takes as long as the run, and no longer than it may.
func TestWaitingForARun(t *testing.T) {
	t.Parallel()
	p := startPlatform(t, actors.Limits{})
	id := p.start(t, "stuck")
	p.waitForWork(p.asDefault(t), t, id)
	began := time.Now()
	if _, body := p.send(t.Context(), t, "GET", "actor-runs/"+id+"?waitForFinish=1", "", nil); !strings.Contains(body, `"status":"RUNNING"`) || time.Since(began) < time.Second {
		t.Errorf("after %s: %s", time.Since(began), body)
	}
	ended := make(chan string, 1)
	go func() {
		_, body := p.send(t.Context(), t, "GET", "actor-runs/"+id+"?waitForFinish=999999", "", nil)
		ended <- body
	}()
	must(p.Actors.Abort(p.asDefault(t), id, false))(t)
	if body := <-ended; !strings.Contains(body, `"status":"ABORTED"`) {
		t.Errorf("at its end: %s", body)
	}
}

// A log that is followed comes line by line while the run goes on, and ends with it.
func TestFollowingALog(t *testing.T) {
	t.Parallel()
	p := startPlatform(t, actors.Limits{})
	id := p.start(t, "stuck")
	p.waitForWork(p.asDefault(t), t, id)
	r := must(http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.address+"/v2/logs/"+id+"?stream=1&raw=1", nil))(t)
	r.Header.Set("Authorization", "Bearer "+p.words["<key>"])
	res := must(http.DefaultClient.Do(r))(t)
	defer res.Body.Close()
	in := bufio.NewReader(res.Body)
	line := must(in.ReadString('\n'))(t)
	if at, text, ok := strings.Cut(strings.TrimSpace(line), " "); !ok || text != "here" || res.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%q %q", at, text)
	} else if _, err := time.Parse("2006-01-02T15:04:05.000Z", at); err != nil {
		t.Error(err)
	}
	if s := must(p.Actors.Run(p.asDefault(t), id))(t).Status; s != actors.Running {
		t.Errorf("the run is %s", s)
	}
	must(p.Actors.Abort(p.asDefault(t), id, false))(t)
	if _, err := io.ReadAll(in); err != nil {
		t.Errorf("at the end: %v", err)
	}
	if s := must(p.Actors.Run(p.asDefault(t), id))(t).Status; s != actors.Aborted {
		t.Errorf("the log has ended, the run is %s", s)
	}
}

// BenchmarkRunSync has a Go Actor run over HTTP, one run after the other.
func BenchmarkRunSync(b *testing.B) {
	p := startPlatform(b, actors.Limits{})
	var times []time.Duration
	for b.Loop() {
		began := time.Now()
		res, body := p.send(b.Context(), b, "POST", "actor-tasks/~echo-task/run-sync", `{"a":1}`, nil)
		times = append(times, time.Since(began))
		if res.StatusCode != http.StatusCreated {
			b.Fatal(res.Status, body)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds())/1000, "p99-ms")
}
