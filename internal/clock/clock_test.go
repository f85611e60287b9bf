package clock

import (
	"testing"
	"time"
)

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func TestManualTimerFiresWhenItsTimePasses(t *testing.T) {
	c := NewManual(start)
	timer := c.NewTimer(time.Minute)
	c.Advance(59 * time.Second)
	select {
	case <-timer.C():
		t.Fatal("fired early")
	default:
	}
	c.Advance(time.Second)
	if got := <-timer.C(); !got.Equal(start.Add(time.Minute)) {
		t.Errorf("fired at %v", got)
	}
	if timer.Stop() {
		t.Error("Stop of a fired timer reported true")
	}
}

func TestManualTimerStopAndReset(t *testing.T) {
	c := NewManual(start)
	timer := c.NewTimer(time.Minute)
	if !timer.Stop() || timer.Stop() {
		t.Fatal("Stop must be true once")
	}
	c.Advance(time.Hour)
	if len(timer.C()) != 0 {
		t.Fatal("a stopped timer fired")
	}
	timer.Reset(time.Second)
	c.Advance(time.Second)
	timer.Reset(time.Second) // the unread value of the first firing must go
	if len(timer.C()) != 0 {
		t.Fatal("Reset kept a stale value")
	}
	c.Advance(time.Second)
	<-timer.C()
}

func TestManualAfterFuncAndWaitForTimers(t *testing.T) {
	c := NewManual(start)
	done := make(chan struct{})
	go c.AfterFunc(time.Second, func() { close(done) })
	c.WaitForTimers(1)
	c.Advance(time.Second)
	<-done
}

func TestTimerOfNoDurationFiresAtOnce(t *testing.T) {
	for _, c := range []Clock{System(), NewManual(start)} {
		<-c.NewTimer(0).C()
	}
}
