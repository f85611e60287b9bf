package child

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

const hostsChildren = 20

func init() { parts["host"] = hostPart }

// hostPart is a host with children, each of which has one more process, in a
// session of its own. It names them all and stands still, to be killed.
func hostPart(args []string) {
	m, err := Open(Options{TempDir: args[0], Cgroup: args[1]})
	if err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	if _, err := m.Dir(); err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	if m.groups != nil {
		fmt.Println("group", m.groups.dir)
	}
	said := make(chan string, 100)
	for range hostsChildren {
		s := Spec{Path: os.Args[0], Args: []string{"2"}, Env: append(Inherit("GORACE", "GOCOVERDIR"), partEnv+"=family")}
		s.Output = func(l Line) { said <- l.Text }
		p, err := m.Start(s)
		if err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		fmt.Println("child", p.PID())
	}
	for named := 0; named < 3*hostsChildren; {
		if text := <-said; strings.HasPrefix(text, "pid ") {
			fmt.Println(text)
			named++
		}
	}
	fmt.Println("ready")
	stubborn(nil)
}

// A host is one that was started to be killed.
type host struct {
	cmd      *exec.Cmd
	children []string // first processes
	all      []string
	group    string // its control group; empty for none
}

func startHost(t *testing.T, temp, cgroup string) *host {
	t.Helper()
	h := &host{cmd: exec.Command(os.Args[0], temp, cgroup)}
	h.cmd.Env = append(os.Environ(), partEnv+"=host")
	h.cmd.Stderr = os.Stderr
	out, err := h.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.kill)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		what, pid, _ := strings.Cut(lines.Text(), " ")
		switch what {
		case "child":
			h.children = append(h.children, pid)
		case "pid":
			if pid != strconv.Itoa(h.cmd.Process.Pid) {
				h.all = append(h.all, pid)
			}
		case "group":
			h.group = pid
		case "ready":
			return h
		case "failed":
			t.Fatal(lines.Text())
		}
	}
	t.Fatal("the host says nothing any more")
	return nil
}

// kill is kill -9.
func (h *host) kill() {
	if h.cmd.ProcessState == nil {
		h.cmd.Process.Kill()
		h.cmd.Wait()
	}
}

// The first processes of a host that is killed are gone at once, and the rest
// once the next one has opened. Another host that lives loses nothing.
func TestAHostThatIsKilled(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	bystander := start(t, open(t, Options{TempDir: temp}), part("family", "2"))
	bystander.everybody(3)
	lives := bystander.holds()
	for round := range testlevel.Rounds(2, 50) {
		cgroup := []string{noGroups, ""}[round%2]
		h := startHost(t, temp, cgroup)
		var children, all []int
		for _, pid := range h.children {
			children = append(children, hold(t, pid))
		}
		for _, pid := range h.all {
			all = append(all, hold(t, pid))
		}
		if len(children) != hostsChildren || len(all) != 3*hostsChildren {
			t.Fatalf("%d children, %d processes", len(children), len(all))
		}
		h.kill()
		deadline := time.Now().Add(testlevel.Loaded(2 * time.Second))
		for i, fd := range children {
			if !hasEnded(t, fd, time.Until(deadline)) {
				t.Errorf("child %s outlives its host", h.children[i])
			}
		}
		begun := time.Now()
		m, err := Open(Options{TempDir: temp, Cgroup: cgroup})
		if err != nil {
			t.Fatal(err)
		}
		opened := time.Since(begun)
		for i, fd := range all {
			if !hasEnded(t, fd, 0) {
				t.Errorf("process %s outlives the opening of the next host", h.all[i])
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		t.Logf("round %d: the next host opened within %s", round, opened)
		onlyOne(t, temp, bystander, h.group)
	}
	for _, fd := range lives {
		if hasEnded(t, fd, 0) {
			t.Error("a process of a host that lives has ended")
		}
	}
	bystander.ended(bystander.Kill(nil), Stopped, -1)
}

// onlyOne holds that nothing is left on disk but what is the bystander's, and no
// control group of the host that was killed.
func onlyOne(t *testing.T, temp string, bystander *player, group string) {
	t.Helper()
	left, err := os.ReadDir(temp)
	if err != nil || len(left) != 1 || left[0].Name() != filepath.Base(dirOf(t, bystander.m)) {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, err := os.Lstat(group); group != "" && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its control group is left: %v", err)
	}
}

// A thread of the host that ends takes no child with it.
func TestAThreadThatEnds(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	p := start(t, m, part("stubborn"))
	p.says("ready")
	fd := hold(t, strconv.Itoa(p.PID()))
	endThreads(20)
	if hasEnded(t, fd, 0) {
		t.Error("the child has ended with a thread")
	}
	p.ended(p.Kill(nil), Stopped, -1)
}
