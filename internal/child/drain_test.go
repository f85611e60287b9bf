//go:build unix

package child

import (
	"context"
	"errors"
	"os"
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
