//go:build unix

package child

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// chatty prints lines on both outputs, says on descriptor 3 that it has, and waits
// to be told to go on.
func chatty(args []string) {
	n, _ := strconv.Atoi(args[0])
	said, goOn := os.NewFile(3, "said"), make([]byte, 1)
	for {
		for i := range n {
			os.Stdout.WriteString(strings.Repeat("x", i%100) + "\n")
			os.Stderr.WriteString("y\n")
		}
		said.Write(goOn)
		if _, err := os.Stdin.Read(goOn); err != nil {
			return
		}
	}
}

func TestWhatWasPrintedIsDelivered(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	saidR, saidW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer saidR.Close()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var lines atomic.Int64
	s := part("chatty", "500")
	s.Stdin, s.Files = inR, []*os.File{saidW}
	s.Output = func(l Line) {
		if !strings.HasPrefix(l.Text, "pid ") {
			lines.Add(1)
		}
	}
	p := start(t, m, s)
	for round := range 20 {
		if _, err := saidR.Read(make([]byte, 1)); err != nil {
			e := p.Wait()
			t.Fatalf("%v: %s %d %v", err, e.Cause, e.Code, e.Reason)
		}
		if err := p.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := lines.Load(), int64(1000*(round+1)); got != want {
			t.Fatalf("round %d: %d lines are delivered of %d", round, got, want)
		}
		inW.Write([]byte("\n"))
	}
	inW.Close()
	p.ended(p.Wait(), Exited, 0)
	if err := p.Drain(t.Context()); err != nil {
		t.Errorf("of a child that has ended: %v", err)
	}
}

// half prints a part of a line, says on descriptor 3 that it has, and waits to be
// told to go on.
func half([]string) {
	said, goOn := os.NewFile(3, "said"), make([]byte, 1)
	for _, part := range []string{"a", "b\nc", strings.Repeat("d", 20), "e\n"} {
		os.Stdout.WriteString(part)
		said.Write(goOn)
		if _, err := os.Stdin.Read(goOn); err != nil {
			return
		}
	}
}

// What was printed of a line is delivered; its rest is another line.
func TestALineThatHasNotEndedIsDelivered(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	saidR, saidW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer saidR.Close()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 10)
	s := part("half")
	s.Stdin, s.Files, s.OutputLimits.LineBytes = inR, []*os.File{saidW}, 12
	s.Output = func(l Line) {
		if !strings.HasPrefix(l.Text, "pid ") {
			lines <- l.Text
		}
	}
	p := start(t, m, s)
	for _, want := range [][]string{{"a"}, {"b", "c"}, {"dddddddddddd", "8 bytes of output were dropped, 0 whole lines among them"}, {"e"}} {
		if _, err := saidR.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		if err := p.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []string
		for len(lines) > 0 {
			got = append(got, <-lines)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		inW.Write([]byte("\n"))
	}
	inW.Close()
	p.ended(p.Wait(), Exited, 0)
}

func TestWaitingForASlowListenerEndsWithTheContext(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	held, begun := make(chan struct{}), make(chan struct{}, 100)
	s := part("polite")
	s.Output = func(Line) {
		begun <- struct{}{}
		<-held
	}
	p := start(t, m, s)
	<-begun
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if err := p.Drain(ctx); err != cause {
		t.Errorf("%v", err)
	}
	close(held)
	p.Kill(nil)
}
