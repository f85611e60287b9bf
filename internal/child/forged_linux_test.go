package child

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func init() { parts["forges"], parts["joins"] = forges, joins }

// forges starts one, in a session of its own, that has the marker of the child
// whose number it is told, and stays, or leaves when it is asked to.
func forges(args []string) {
	env := []string{partEnv + "=stubborn", markerName + "=" + filepath.Join(filepath.Dir(os.Getenv(markerName)), args[0])}
	for _, e := range os.Environ() {
		if strings.HasPrefix(e, "GO") {
			env = append(env, e)
		}
	}
	play("stubborn", func(c *exec.Cmd) { c.Env = env; newSession(c) })
	if args[1] == "leaves" {
		polite(nil)
	}
	stubborn(nil)
}

// joins starts one in the process group that it is told.
func joins(args []string) {
	group, _ := strconv.Atoi(args[0])
	play("stubborn", func(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pgid: group} })
	stubborn(nil)
}

// A process that says it is another child's is still that of the child which it
// comes from, and is ended with it; the other has nothing of it.
func TestAProcessThatNamesAnotherChild(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		part    string
		another bool // a user of its own
	}{
		"by its marker":                         {"forges", false},
		"by its marker, as a user of its own":   {"forges", true},
		"by its group":                          {"joins", false},
		"by its group, as a user of its own":    {"joins", true},
		"by the marker of none":                 {"forges none", false},
		"by the marker of none, as its own one": {"forges none", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := open(t, Options{TempDir: reachable(t), Cgroup: noGroups, Every: time.Hour})
			victim := start(t, m, part("stubborn"))
			victim.says("ready")
			kind, none, _ := strings.Cut(test.part, " ")
			s := part(kind, victim.ID(), "stays")
			switch {
			case none != "":
				s.Args[0] = "999999"
			case kind == "joins":
				s.Args[0] = fmt.Sprint(victim.PID())
			}
			if test.another {
				s.Path, s.User = reachableProgram(t), otherUser(t)
			}
			s.Grace = time.Millisecond
			p := start(t, m, s)
			p.everybody(2)
			p.says("ready")
			p.says("ready")
			fds := p.holds()
			found := m.family.look(m.roots, true)
			if living(found[p.Dir()]) != 2 || living(found[victim.Dir()]) != 1 || len(found) != 2 {
				t.Errorf("found: %+v", found)
			}
			p.ended(p.Stop(nil), Stopped, -1)
			if !hasEnded(t, fds[1], 0) {
				t.Error("it has got away")
			}
			victim.ended(victim.Kill(nil), Stopped, -1)
		})
	}
}

// living counts the processes that have not ended. What has, as a user that a test
// before had, too, may wait for the init process of the system.
func living(procs []proc) (n int) {
	for _, p := range procs {
		if !p.zombie {
			n++
		}
	}
	return n
}

// Where nothing else tells whose a process is, its marker does, if it runs as the
// child does; and the user tells before.
func TestAnOrphanThatNamesAnotherChild(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		another, exclusive, owned bool
	}{
		"as another user":         {another: true},
		"as a user of its own":    {another: true, exclusive: true, owned: true},
		"as the user of the host": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := open(t, Options{TempDir: reachable(t), Cgroup: noGroups, Every: time.Hour})
			keeper := part("stubborn") // keeps its user while the one that forges has gone
			looked := make(chan struct{})
			keeper.Measured = func(Usage) { close(looked) } // there is one look before the end
			s := part("forges", "1", "leaves")
			if test.another {
				u := otherUser(t)
				u.Exclusive = test.exclusive
				s.Path, s.User = reachableProgram(t), u
			}
			victim := start(t, m, keeper)
			victim.says("ready")
			if victim.ID() != "1" {
				t.Fatal(victim.ID())
			}
			<-looked // or it may see the orphan while the one that forges is there
			p := start(t, m, s)
			p.everybody(2)
			p.says("ready")
			p.says("ready")
			fd := p.holds()[1]
			if err := syscall.Kill(p.PID(), syscall.SIGTERM); err != nil { // what is left is ended at once where it is the child's
				t.Fatal(err)
			}
			p.Wait()
			found := m.family.look(m.roots, true)
			if got := living(found[victim.Dir()]); got != 1 && test.another {
				t.Errorf("the other has %d processes", got)
			}
			if ended := hasEnded(t, fd, 0); ended != test.owned {
				t.Errorf("ended %v", ended)
			}
			killAll(t, p)
			victim.ended(victim.Kill(nil), Stopped, -1)
		})
	}
}

// killAll kills what a player has named, as far as it is left.
func killAll(t *testing.T, p *player) {
	t.Helper()
	for _, text := range p.pids {
		pid, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		if q, ok := readProc(pid); ok {
			kill(q)
		}
	}
}
