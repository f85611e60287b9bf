package child

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func init() { parts["runs"], parts["ipc"] = runs, ipc }

// runs has a program play another part.
func runs(args []string) {
	cmd := exec.Command(args[0])
	cmd.Env = []string{partEnv + "=shows"}
	out, err := cmd.Output()
	_, user, _ := strings.Cut(string(out), "user ")
	fmt.Println("it is", strings.TrimSpace(user), err)
}

// ipc says which place it has for shared memory, queues and semaphores.
func ipc([]string) {
	place, err := os.Readlink("/proc/self/ns/ipc")
	fmt.Println("ipc", place, err)
}

// Nobody becomes another user by a file that this one has left.
func TestAFileGivesItsUserToNobody(t *testing.T) {
	t.Parallel()
	u, other := otherUser(t), otherUser(t)
	u.GID = u.UID // else the group of the file would be its own
	left := reachableProgram(t) + ".left"
	program, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(left, program, 0o755)
	}
	if err == nil {
		err = os.Chown(left, int(other.UID), int(other.GID))
	}
	if err == nil {
		err = os.Chmod(left, 0o755|os.ModeSetuid|os.ModeSetgid)
	}
	if err != nil {
		t.Fatal(err)
	}
	var info unix.Statfs_t
	if err := unix.Statfs(left, &info); err != nil || info.Flags&unix.ST_NOSUID != 0 {
		t.Skipf("SKIPPED: files give their users to nobody there at all: %v", err)
	}
	m := open(t, Options{TempDir: reachable(t)})
	s := part("runs", left)
	s.Path, s.User = reachableProgram(t), u
	p := start(t, m, s)
	if got, want := p.says("it is "), fmt.Sprint(u.UID, " ", u.GID, " <nil>"); got != want {
		t.Errorf("it is %s, not %s", got, want)
	}
	p.ended(p.Wait(), Exited, 0)
}

func TestEachUserHasAPlaceForSharedMemory(t *testing.T) {
	t.Parallel()
	u := otherUser(t)
	if !mayUnshare() {
		t.Skip("SKIPPED: this host may not give processes such places")
	}
	m := open(t, Options{TempDir: reachable(t)})
	host, err := os.Readlink("/proc/self/ns/ipc")
	if err != nil {
		t.Fatal(err)
	}
	s := part("ipc")
	s.Path, s.User = reachableProgram(t), u
	one, two := start(t, m, s), func() *player { s := s; s.User = otherUser(t); return start(t, m, s) }()
	if a, b := one.says("ipc "), two.says("ipc "); a == b || strings.Contains(a+b, host) || !strings.HasSuffix(a, "<nil>") {
		t.Errorf("%s, %s, the host %s", a, b, host)
	}
	one.ended(one.Wait(), Exited, 0)
	two.ended(two.Wait(), Exited, 0)
}

// Files of other users have limits, too, whatever the host may do to processes.
func TestAFileOfAnotherUserHasALimit(t *testing.T) {
	t.Parallel()
	s, begin := grower(t)
	s.Path, s.User, s.Limits.FileSize = reachableProgram(t), otherUser(t), 256<<10
	p := start(t, open(t, Options{TempDir: reachable(t)}), s)
	begin.Close() // it is limited by now
	if got := p.says("grown "); got != "262144 true" {
		t.Error(got)
	}
	p.ended(p.Wait(), Exited, 0)
}
