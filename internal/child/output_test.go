package child

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// printed returns what is delivered of a text that comes in pieces.
func printed(l OutputLimits, pieces ...string) (lines []Line, tail string) {
	o := newOutput(clock.System(), l.withDefaults(), func(l Line) { lines = append(lines, l) })
	r, w := io.Pipe()
	o.readers.Go(func() { o.read(r, Stdout) })
	for _, p := range pieces {
		io.WriteString(w, p)
	}
	w.Close()
	o.finish()
	return lines, o.tail.String()
}

func TestLinesOfOutput(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		limits OutputLimits
		pieces []string
		want   []string
	}{
		"lines":               {pieces: []string{"a\nb\r\n\nc\n"}, want: []string{"a", "b", "", "c"}},
		"no end":              {pieces: []string{"a\nb"}, want: []string{"a", "b"}},
		"in pieces":           {pieces: []string{"a", "b\nc", "", "\n"}, want: []string{"ab", "c"}},
		"bytes of no text":    {pieces: []string{"a\xffb\n"}, want: []string{"a\uFFFDb"}},
		"as long as may be":   {limits: OutputLimits{LineBytes: 4}, pieces: []string{"abcd\nabcd"}, want: []string{"abcd", "abcd"}},
		"too long":            {limits: OutputLimits{LineBytes: 4}, pieces: []string{"abcdefg\nh\n"}, want: []string{"abcd (cut)", "4 bytes of output were dropped, 0 whole lines among them", "h"}},
		"too long, no end":    {limits: OutputLimits{LineBytes: 4}, pieces: []string{"abc", "def", "gh"}, want: []string{"abcd (cut)", "4 bytes of output were dropped, 0 whole lines among them"}},
		"too much altogether": {limits: OutputLimits{Total: 6}, pieces: []string{"ab\ncd\nef\ngh\n"}, want: []string{"ab", "cd", "6 bytes of output were dropped, 2 whole lines among them"}},
		"too much at once":    {limits: OutputLimits{Rate: 3}, pieces: []string{"ab\ncd\nef\n"}, want: []string{"ab", "cd", "3 bytes of output were dropped, 1 whole lines among them"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines, tail := printed(test.limits, test.pieces...)
			var got []string
			for _, l := range lines {
				text := l.Text
				if l.Cut {
					text += " (cut)"
				}
				if strings.Contains(text, "dropped") != (l.Stream == Notice) {
					t.Errorf("%+v", l)
				}
				got = append(got, text)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if tail != strings.Join(test.pieces, "") {
				t.Errorf("the tail is %q", tail)
			}
		})
	}
}

func TestTheTail(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 1000)
	for _, size := range []int{1, 7, 4096, 5000} {
		var tl tail
		for rest := []byte(text); len(rest) > 0; {
			n := min(size, len(rest))
			tl.add(rest[:n])
			rest = rest[n:]
		}
		if got := tl.String(); got != text[len(text)-tailSize:] {
			t.Errorf("in pieces of %d: %d bytes", size, len(got))
		}
	}
}

// A rate is kept over time: what comes in runs is dropped in runs.
func TestTheRateOfOutput(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := allowance{rate: 100, left: 200, at: time.Now()}
		take := func() (n int) {
			for range 50 {
				if a.take(10, time.Now()) {
					n++
				}
			}
			return n
		}
		for i, want := range []int{20, 0, 10, 0, 10} {
			if got := take(); got != want {
				t.Errorf("round %d: %d lines, want %d", i, got, want)
			}
			time.Sleep(500 * time.Millisecond)
		}
		time.Sleep(time.Hour)
		if got := take(); got != 20 {
			t.Errorf("after an hour: %d lines", got)
		}
		if a := (allowance{rate: -1}); !a.take(1<<40, time.Now()) {
			t.Error("there is no limit")
		}
	})
}

// Who takes lines slowly holds up nobody who prints, and keeps no more than may
// wait.
func TestASlowListener(t *testing.T) {
	t.Parallel()
	release, first := make(chan struct{}), make(chan struct{})
	var lines []Line
	o := newOutput(clock.System(), OutputLimits{Waiting: 1000, Rate: -1}.withDefaults(), func(l Line) {
		if lines = append(lines, l); len(lines) == 1 {
			close(first)
			<-release
		}
	})
	r, w := io.Pipe()
	o.readers.Go(func() { o.read(r, Stderr) })
	io.WriteString(w, "first\n")
	<-first
	for i := range 1000 {
		fmt.Fprintln(w, "line", i)
	}
	w.Close()
	o.readers.Wait()
	if o.size > 1000 {
		t.Errorf("%d bytes wait", o.size)
	}
	close(release)
	o.finish()
	if len(lines) < 5 || len(lines) > 20 || lines[len(lines)-1].Stream != Notice {
		t.Errorf("%d lines were delivered: %+v", len(lines), lines)
	}
}
