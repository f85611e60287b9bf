package osuser

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
)

func TestMaps(t *testing.T) {
	t.Parallel()
	r := Range{}.withDefaults()
	for text, want := range map[string]bool{
		"         0          0 4294967295\n": true, "0 1000 1\n1 100000 65536\n": true, "0 1000 1\n": false, "0 100000 61000\n": false, "": false,
	} {
		if got := mapped(text, r); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	r := Range{First: 100, Count: 5}
	for gid, want := range map[int]bool{101: false, 102: true, 104: true, 105: false} {
		if r.HasGroup(gid) != want {
			t.Errorf("%d: %v", gid, !want)
		}
	}
	if all := r.Groups(); len(all) != 3 || all[0] != 102 {
		t.Errorf("%v", all)
	}
	for _, bad := range []Range{{First: -1}, {Count: 3}, {Count: -1}, {First: 65533, Count: 4}, {First: 1 << 31}} {
		if err := bad.Validate(); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestAUserIsLentOnce(t *testing.T) {
	needRoot(t)
	t.Setenv("TMPDIR", t.TempDir())
	r := Range{First: 61100, Count: 4} // two users
	one, other := must(Open(r))(t), must(Open(r))(t)
	one.places, other.places = nil, nil // see TestWhatAUserHasLeftGoes
	cmd := exec.Command("/bin/sleep", "60")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 61100, Gid: 61100}, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	uid, giveBack, err := one.Lend()
	if err != nil || uid != 61101 {
		t.Errorf("%d, %v: 61100 has a process", uid, err)
	}
	if _, _, err := other.Lend(); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("one that another host has: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if uid, _, err := other.Lend(); err != nil || uid != 61100 {
		t.Errorf("%d, %v", uid, err)
	}
	giveBack()
	giveBack()
	if uid, _, err := one.Lend(); err != nil || uid != 61101 {
		t.Errorf("%d, %v", uid, err)
	}
	runtime.KeepAlive(other) // who is forgotten holds no locks
}

// Whoever could make locks could keep users from being lent, or have one lent twice.
func TestLocksOfOthersAreRefused(t *testing.T) {
	needRoot(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	if err := os.Mkdir(filepath.Join(temp, "drover-users"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(temp, "drover-users"), 61100, 61100); err != nil {
		t.Fatal(err)
	}
	if _, _, err := must(Open(Range{}))(t).Lend(); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
}

func TestADirectoryIsGivenAndTakenBack(t *testing.T) {
	t.Parallel()
	needRoot(t)
	dir := t.TempDir()
	file, hard, link, outside := filepath.Join(dir, "a", "file"), filepath.Join(dir, "hard"), filepath.Join(dir, "link"), filepath.Join(t.TempDir(), "outside")
	for _, err := range []error{
		os.Mkdir(filepath.Dir(file), 0o755), os.WriteFile(file, nil, 0o644), os.WriteFile(outside, nil, 0o600), os.Link(outside, hard), os.Symlink(outside, link),
		Give(dir, 61100),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	owned := func(uid int, mode os.FileMode, path string) {
		t.Helper()
		info := must(os.Lstat(path))(t)
		if owner(info) != uid || info.Mode()&(os.ModePerm|os.ModeSetuid) != mode {
			t.Errorf("%s: %d, %v", filepath.Base(path), owner(info), info.Mode())
		}
	}
	owned(61100, 0o700, dir)
	owned(61100, 0o644, file)
	owned(61100, 0o777, link)
	owned(0, 0o600, outside)
	for _, err := range []error{os.Chmod(file, 0o777|os.ModeSetuid), os.Chmod(filepath.Dir(file), 0), TakeBack(dir, 61100)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	owned(0, 0o755, dir)
	owned(0, 0o755, filepath.Dir(file))
	owned(0, 0o755, file)
	owned(0, 0o600, outside)
	gid := Range{}.Groups()[0]
	if err := Share(dir, gid); err != nil {
		t.Fatal(err)
	}
	owned(0, 0o750, dir)
	if got := must(GroupOf(dir))(t); got != gid {
		t.Error(got)
	}
}

// TestNothingInADirectoryThatWasTakenBackIsOthers has a user keep a way to all that he
// leaves.
func TestNothingInADirectoryThatWasTakenBackIsOthers(t *testing.T) {
	t.Parallel()
	needRoot(t)
	const uid, stranger = 61100, 12345
	dir, elsewhere := t.TempDir(), t.TempDir()
	open := func(path string, owner int) { // to everybody
		t.Helper()
		if err := errors.Join(os.WriteFile(path, []byte("first"), 0o666), os.Chmod(path, 0o666), os.Chown(path, owner, owner)); err != nil {
			t.Fatal(err)
		}
	}
	in, out := func(name string) string { return filepath.Join(dir, name) }, func(name string) string { return filepath.Join(elsewhere, name) }
	open(in("linked"), uid)
	open(in("held"), uid)
	open(in("plain"), uid)
	open(out("strangers"), stranger)
	open(out("roots"), 0)
	held := must(os.OpenFile(in("held"), os.O_WRONLY, 0))(t)
	defer held.Close()
	if err := errors.Join(
		os.Link(in("linked"), out("linked")), os.Link(out("strangers"), in("strangers")), os.Link(out("roots"), in("roots")), os.Symlink(elsewhere, in("symlink")),
		syscall.Mkfifo(in("fifo"), 0o666), os.MkdirAll(in("theirs/below"), 0o777), os.Chown(in("theirs"), stranger, stranger), os.Chown(elsewhere, stranger, stranger),
	); err != nil {
		t.Fatal(err)
	}
	if err := TakeBack(dir, uid); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"linked", "held", "plain"} {
		info := must(os.Lstat(in(name)))(t)
		if owner(info) != 0 || info.Mode() != 0o644 || links(info) != 1 {
			t.Errorf("%s: %d, %v, %d names", name, owner(info), info.Mode(), links(info))
		}
	}
	if _, err := held.WriteString("second"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out("linked"), []byte("second"), 0); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"linked", "held"} {
		if text := must(os.ReadFile(in(name)))(t); string(text) != "first" {
			t.Errorf("%s: it says %q", name, text)
		}
	}
	for path, want := range map[string]int{elsewhere: stranger, out("linked"): uid, out("strangers"): stranger, out("roots"): 0} {
		if info := must(os.Lstat(path))(t); owner(info) != want || !info.IsDir() && info.Mode() != 0o666 {
			t.Errorf("%s: %d, %v", path, owner(info), info.Mode())
		}
	}
	for _, name := range []string{"strangers", "roots", "fifo", "theirs"} {
		if _, err := os.Lstat(in(name)); !os.IsNotExist(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if names := must(os.ReadDir(dir))(t); len(names) != 4 {
		t.Errorf("%v", names)
	}
}

func TestWhatIsClosedCannotBeReached(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "closed")
	if err := os.MkdirAll(filepath.Join(dir, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Reachable(filepath.Join(dir, "in")); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
	if err := LetThrough(dir); err != nil {
		t.Fatal(err)
	}
	if mode := must(os.Stat(dir))(t).Mode().Perm(); mode != 0o701 {
		t.Error(mode)
	}
	if err := Reachable("/bin/sh"); err != nil {
		t.Error(err)
	}
}

func needRoot(t *testing.T) {
	t.Helper()
	testlevel.External()
	if os.Geteuid() != 0 {
		testlevel.Missing(t, "ROOT: this user is "+strconv.Itoa(os.Geteuid()))
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
