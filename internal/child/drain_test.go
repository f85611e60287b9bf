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

// inTurns is a part that says on descriptor 3 when it has printed, and goes on when
// it is told to.
func inTurns(t *testing.T, name string, args ...string) (s Spec, said, goOn *os.File) {
	t.Helper()
	saidR, saidW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { saidR.Close() })
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s = part(name, args...)
	s.Stdin, s.Files = inR, []*os.File{saidW}
	return s, saidR, inW
}

func TestWhatWasPrintedIsDelivered(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	s, said, goOn := inTurns(t, "chatty", "500")
	var lines atomic.Int64
	s.Output = func(l Line) {
		if !strings.HasPrefix(l.Text, "pid ") {
			lines.Add(1)
		}
	}
	p := start(t, m, s)
	for round := range 20 {
		if _, err := said.Read(make([]byte, 1)); err != nil {
			e := p.Wait()
			t.Fatalf("%v: %s %d %v", err, e.Cause, e.Code, e.Reason)
		}
		if err := p.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := lines.Load(), int64(1000*(round+1)); got != want {
			t.Fatalf("round %d: %d lines are delivered of %d", round, got, want)
		}
		goOn.Write([]byte("\n"))
	}
	goOn.Close()
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
	s, said, goOn := inTurns(t, "half")
	lines := make(chan string, 10)
	s.OutputLimits.LineBytes = 12
	s.Output = func(l Line) {
		if !strings.HasPrefix(l.Text, "pid ") {
			lines <- l.Text
		}
	}
	p := start(t, m, s)
	for _, want := range [][]string{{"a"}, {"b", "c"}, {"dddddddddddd", "8 bytes of output were dropped, 0 whole lines among them"}, {"e"}} {
		if _, err := said.Read(make([]byte, 1)); err != nil {
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
		goOn.Write([]byte("\n"))
	}
	goOn.Close()
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
