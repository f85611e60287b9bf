package clock

import (
	"testing"
	"testing/synctest"
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

// TestARunningClockIsPutForward holds in fake time that timers fire when the
// clock has run to them, or was put there, whichever comes first, and once.
func TestARunningClockIsPutForward(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, began := NewRunning(start), time.Now()
		runs, put, reset := c.NewTimer(time.Minute), c.NewTimer(time.Hour), c.NewTimer(time.Hour)
		if now := <-runs.C(); !now.Equal(start.Add(time.Minute)) || time.Since(began) != time.Minute {
			t.Errorf("it fired at %v, after %v", now, time.Since(began))
		}
		c.Advance(59*time.Minute - time.Second)
		if len(put.C()) != 0 {
			t.Error("fired early")
		}
		reset.Reset(time.Hour)
		if now := <-put.C(); !now.Equal(start.Add(time.Hour)) || time.Since(began) != time.Minute+time.Second {
			t.Errorf("it fired at %v, after %v", now, time.Since(began))
		}
		c.Advance(time.Hour)
		if now := <-reset.C(); !now.Equal(c.Now()) || !now.Equal(start.Add(2*time.Hour)) {
			t.Errorf("it fired at %v", now)
		}
		time.Sleep(2 * time.Hour)
		if len(runs.C())+len(put.C())+len(reset.C()) > 0 || runs.Stop() || put.Stop() || reset.Stop() {
			t.Error("a timer fired twice")
		}
	})
}

func TestARunningClockStopsTimersAndRunsFunctions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, done := NewRunning(start), make(chan struct{})
		timer := c.NewTimer(time.Minute)
		if !timer.Stop() || timer.Stop() {
			t.Error("Stop must be true once")
		}
		c.AfterFunc(time.Hour, func() { close(done) })
		c.Advance(30 * time.Minute)
		<-done
		if len(timer.C()) != 0 || !c.Now().Equal(start.Add(time.Hour)) {
			t.Errorf("at %v, fired %d", c.Now(), len(timer.C()))
		}
	})
}
