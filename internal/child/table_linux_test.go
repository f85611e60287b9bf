package child

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// holds is a handle on each process that a player has named, by which their end
// is seen however they are known otherwise. Those that have ended have none.
func (p *player) holds() (fds []int) {
	p.t.Helper()
	for _, pid := range p.pids {
		if _, err := os.Lstat("/proc/" + pid); err == nil {
			fds = append(fds, hold(p.t, pid))
		}
	}
	return fds
}

func hold(t *testing.T, pid string) int {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.PidfdOpen(n, 0)
	if err != nil {
		t.Fatalf("process %s: %v", pid, err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}

// hasEnded reports whether a process ends within some time.
func hasEnded(t *testing.T, fd int, within time.Duration) bool {
	t.Helper()
	for deadline := time.Now().Add(within); ; {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(max(time.Until(deadline), 0).Milliseconds()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		return n == 1
	}
}

// everybody waits until a player and those it has started have named themselves.
func (p *player) everybody(n int) {
	p.t.Helper()
	for len(p.pids) < n {
		p.says("pid ")
	}
}

// The child table: what children do, and that each is ended whole, with the
// right cause; by control group and without.
func TestTheChildTable(t *testing.T) {
	t.Parallel()
	small := Limits{Memory: 300 << 20}
	patient := func(s *Spec) { s.Grace = time.Minute }
	for _, test := range []struct {
		name   string
		part   string
		args   []string
		change func(*Spec)
		stop   bool
		pids   int
		cause  Cause
		code   int
	}{
		{name: "forks, and is stopped", part: "family", args: []string{"6"}, stop: true, pids: 7, cause: Stopped, code: -1},
		{name: "calls setsid twice, and is stopped", part: "leaves", args: []string{"stays"}, change: patient, stop: true, pids: 3, cause: Stopped, code: 7},
		{name: "calls setsid twice, and exits", part: "leaves", args: []string{""}, cause: Exited},
		{name: "runs from its end", part: "flees", cause: Exited},
		{name: "ignores to be asked", part: "stubborn", stop: true, pids: 1, cause: Stopped, code: -1},
		{name: "eats memory", part: "eats", change: func(s *Spec) { s.Limits = small }, cause: MemoryLimit, code: -1},
		{name: "burns processors", part: "burns", change: func(s *Spec) { s.Limits.CPUTime = 200 * time.Millisecond }, cause: CPULimit, code: -1},
		{name: "has too many processes", part: "family", args: []string{"5"}, change: func(s *Spec) { s.Limits.Processes = 5 }, cause: ProcessLimit, code: -1},
		{name: "takes too long", part: "stubborn", change: func(s *Spec) { s.Limits.Time = time.Second }, cause: TimeLimit, code: -1},
		{name: "prints for ever", part: "prints", change: func(s *Spec) { s.OutputLimits.Rate = 2000 }, stop: true, pids: 1, cause: Stopped, code: -1},
		{name: "prints no newline", part: "no newline", stop: true, pids: 1, cause: Stopped, code: -1},
		{name: "closes its outputs", part: "closes", change: patient, stop: true, pids: 1, cause: Stopped, code: 3},
	} {
		for how, cgroup := range map[string]string{"with a control group": "", "by looking": noGroups} {
			t.Run(test.name+" "+how, func(t *testing.T) {
				t.Parallel()
				m := open(t, Options{Cgroup: cgroup, Every: 50 * time.Millisecond})
				needsGroups(t, m, cgroup)
				s := part(test.part, test.args...)
				s.Grace = time.Millisecond
				if test.change != nil {
					test.change(&s)
				}
				p := start(t, m, s)
				var fds []int
				if test.stop {
					p.everybody(test.pids)
					p.begins(test.part)
					fds = p.holds()
					p.Stop(nil)
				}
				p.ended(p.Wait(), test.cause, test.code)
				for _, fd := range fds {
					if !hasEnded(t, fd, 0) {
						t.Errorf("one of the processes %v goes on", p.pids)
					}
				}
				nothingLeft(t, m, p.Process)
			})
		}
	}
}

// begins waits until a part does what it is there for.
func (p *player) begins(part string) {
	p.t.Helper()
	switch part {
	case "family", "stubborn":
		p.says("ready")
	case "leaves": // the first, and the one that remains
		p.says("ready")
		p.says("ready")
	case "prints":
		p.says("line 5")
		for dropped := false; !dropped; {
			dropped = (<-p.lines).Stream == Notice
		}
	case "no newline":
		for cut := false; !cut; {
			cut = (<-p.lines).Cut
		}
	case "closes":
		p.out.readers.Wait() // both have been read to their end
	}
}

// nothingLeft looks for what carries the marker of a child, whether or not the
// manager has ever seen it.
func nothingLeft(t *testing.T, m *Manager, p *Process) {
	t.Helper()
	f := newFamily(dirOf(t, m), func([]byte) bool { return false }, m.firsts)
	for dir, procs := range f.look(func() roots { return roots{} }, true) {
		for _, q := range procs {
			if dir == p.Dir() && !q.zombie {
				t.Errorf("left: %+v, %s", q, readCommand(q))
			}
		}
	}
	if m.groups != nil {
		if _, err := os.Lstat(filepath.Join(m.groups.dir, p.ID())); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("its control group is left: %v", err)
		}
	}
}

// needsGroups skips a test, aloud, where control groups are asked for and there
// are none that can be written to.
func needsGroups(t *testing.T, m *Manager, cgroup string) {
	t.Helper()
	if cgroup != noGroups && m.groups == nil {
		t.Skip("SKIPPED: there is no control group of version 2 here that this user may write to")
	}
}

func TestTheUsageOfAChild(t *testing.T) {
	t.Parallel()
	for how, cgroup := range map[string]string{"with a control group": "", "by looking": noGroups} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			m := open(t, Options{Cgroup: cgroup, Every: 20 * time.Millisecond, Measure: 20 * time.Millisecond})
			needsGroups(t, m, cgroup)
			s, enough := part("family", "3"), make(chan Usage, 1)
			s.Measured = func(u Usage) {
				if u.Processes == 4 {
					select {
					case enough <- u:
					default:
					}
				}
			}
			p := start(t, m, s)
			u := <-enough
			if u.Memory < 4<<20 || u.Memory > 1<<30 || u.Peak < u.Memory || u.MostProcesses < 4 {
				t.Errorf("%+v", u)
			}
			e := p.Kill(nil)
			if e.Usage.Peak < u.Peak || e.Usage.CPU < u.CPU || e.Usage.CPU == 0 { // which is less than a tick, perhaps, until it is waited for
				t.Errorf("%+v, then %+v", u, e.Usage)
			}
		})
	}
}

// The time of processes that have gone stays counted, once.
func TestTheTimeOfProcessesThatHaveGone(t *testing.T) {
	t.Parallel()
	var b books
	at := func(pid, ppid int, cpu time.Duration) proc {
		return proc{key: key{pid, 1}, ppid: ppid, cpu: cpu}
	}
	for i, test := range []struct {
		procs []proc
		want  time.Duration
	}{
		{[]proc{at(1, 99, 10), at(2, 1, 5), at(3, 99, 7)}, 22},
		{[]proc{at(1, 99, 15), at(3, 99, 8)}, 23},             // 2 was waited for by 1
		{[]proc{at(1, 99, 16)}, 24},                           // 3 was waited for by somebody else
		{[]proc{at(1, 99, 16), {key: key{3, 2}, cpu: 1}}, 25}, // another with its number
	} {
		if got := b.cpu(test.procs); got != test.want {
			t.Errorf("look %d: %d, want %d", i, got, test.want)
		}
	}
}

func TestALineOfTheTable(t *testing.T) {
	t.Parallel()
	p, ok := parseStat(7, []byte("7 (a ) R (b) S 3 5 5 0 -1 4194560 1 2 3 4 10 20 30 40 20 0 12 0 4711 1000 25 18446744073709551615 1\n"))
	want := proc{key: key{7, 4711}, ppid: 3, pgid: 5, threads: 12, cpu: time.Second, resident: 25 * int64(os.Getpagesize())}
	if !ok || p != want {
		t.Errorf("%+v, want %+v", p, want)
	}
	for _, text := range []string{"", "7 (x", "7 (x) S 1 2"} {
		if _, ok := parseStat(7, []byte(text)); ok {
			t.Errorf("%q is no line", text)
		}
	}
	for text, want := range map[string]bool{"Z": true, "X": true, "S": false} {
		p, _ := parseStat(7, []byte("7 (x) "+text+" 3 5 5 0 -1 0 1 2 3 4 10 20 30 40 20 0 1 0 4711 1000 25"))
		if p.zombie != want {
			t.Errorf("state %s: %+v", text, p)
		}
	}
	if p, _ := parseStat(7, []byte("7 (x) Z 3 5 5 0 -1 0 1 2 3 4 10 20 30 40 20 0 2 0 4711 1000 25")); p.zombie {
		t.Error("another thread of it goes on")
	}
}

func TestMarkers(t *testing.T) {
	t.Parallel()
	f := newFamily("/tmp/drover-child-1", nil, newFirsts())
	for text, want := range map[string]string{
		"A=b\x00DROVER_CHILD=/tmp/drover-child-1/7\x00C=d":         "/tmp/drover-child-1/7",
		"DROVER_CHILD=/tmp/drover-child-2/3:/tmp/drover-child-1/7": "/tmp/drover-child-1/7",
		"DROVER_CHILD=/tmp/drover-child-1/7:/tmp/drover-child-2/3": "/tmp/drover-child-1/7",
		"DROVER_CHILD=/tmp/drover-child-12/7":                      "",
		"DROVER_CHILD=/var/tmp/drover-child-1/7":                   "",
		"DROVER_CHILD=/tmp/drover-child-1":                         "",
		"XDROVER_CHILD=/tmp/drover-child-1/7":                      "",
		"":                                                         "",
	} {
		if got := f.marked([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := f.below("chromium --user-data-dir=/tmp/drover-child-1/12/profile --x", " ="); got != "/tmp/drover-child-1/12" {
		t.Errorf("on a command line: %q", got)
	}
}
