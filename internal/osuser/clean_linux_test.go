package osuser

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/errtypes"
)

// lending is who lends two users of its own, whose files can lie in one place.
func lending(t *testing.T, first int) (u *Users, place string) {
	t.Helper()
	needRoot(t)
	u = must(Open(Range{First: first, Count: 4}))(t)
	place = t.TempDir()
	u.locks, u.places = filepath.Join(t.TempDir(), "locks"), []string{place}
	if err := errors.Join(os.Chmod(place, 0o777|os.ModeSticky), os.Chmod(filepath.Dir(place), 0o755)); err != nil {
		t.Fatal(err)
	}
	return u, place
}

// as runs a line of shell as a user.
func as(t *testing.T, uid uint32, dir, line string) string {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", line)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v %s", line, err, out)
	}
	return string(out)
}

func exists(t *testing.T, want bool, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if _, err := os.Lstat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestWhatAUserHasLeftGoes has users leave files in all ways, and the host lend them
// only when these are gone.
func TestWhatAUserHasLeftGoes(t *testing.T) {
	t.Parallel()
	u, place := lending(t, 61110)
	one, giveOne, err := u.Lend()
	other, giveOther, err2 := u.Lend()
	if err != nil || err2 != nil || one == other {
		t.Fatal(one, err, other, err2)
	}
	mine, host := filepath.Join(place, "mine"), filepath.Join(place, "host")
	for _, err := range []error{os.Mkdir(host, 0o755), os.WriteFile(filepath.Join(host, "kept"), nil, 0o644), os.Mkdir(filepath.Join(host, "open"), 0o777), os.Chmod(filepath.Join(host, "open"), 0o777)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	as(t, one, place, "cp /bin/cat mine; chmod 6755 mine; mkdir -p d/e; touch d/e/f host/open/deep; chmod 000 d/e; ln -s host link; mkfifo fifo")
	as(t, other, place, "mkdir theirs; touch theirs/own; chmod 777 theirs")
	as(t, one, place, "touch theirs/foreign")
	as(t, other, place, "chmod 700 theirs; touch "+filepath.Join(host, "open", "other"))
	giveOne()
	exists(t, false, mine, filepath.Join(place, "d"), filepath.Join(place, "link"), filepath.Join(place, "fifo"), filepath.Join(host, "open", "deep"), filepath.Join(place, "theirs", "foreign"))
	exists(t, true, filepath.Join(host, "kept"), filepath.Join(place, "theirs", "own"), filepath.Join(host, "open", "other"))
	if again, give, err := u.Lend(); err != nil || again != one {
		t.Errorf("%d, %v", again, err)
	} else {
		give()
	}
	giveOther()
	exists(t, false, filepath.Join(place, "theirs"), filepath.Join(host, "open", "other"))
}

// What a host left that died is removed before its users are lent by another.
func TestWhatADeadHostHasLeftGoes(t *testing.T) {
	t.Parallel()
	u, place := lending(t, 61120)
	left := filepath.Join(place, "left")
	as(t, 61120, place, "touch left")
	as(t, 61121, place, "touch left-too")
	uid, give, err := u.Lend()
	if err != nil || uid != 61120 {
		t.Fatal(uid, err)
	}
	exists(t, false, left, left+"-too")
	as(t, uid, place, "touch left")
	if err := u.lent[61120].Close(); err != nil { // it dies
		t.Fatal(err)
	}
	next := must(Open(u.r))(t)
	next.locks, next.places = u.locks, u.places
	if uid, _, err := next.Lend(); err != nil || uid != 61121 {
		t.Errorf("%d, %v: it was not used for longest", uid, err)
	}
	exists(t, true, left)
	if uid, _, err := next.Lend(); err != nil || uid != 61120 {
		t.Errorf("%d, %v", uid, err)
	}
	exists(t, false, left)
	runtime.KeepAlive(give)
}

// A user is not lent while something of his cannot be removed.
func TestAUserThatIsNotCleanIsNotLent(t *testing.T) {
	t.Parallel()
	u, place := lending(t, 61130)
	one, giveOne, err := u.Lend()
	if err != nil {
		t.Fatal(err)
	}
	as(t, one, place, "mkdir d; touch d/f")
	dir := must(os.Open(filepath.Join(place, "d")))(t)
	defer dir.Close()
	const immutable = 0x10
	if err := unix.IoctlSetPointerInt(int(dir.Fd()), unix.FS_IOC_SETFLAGS, immutable); err != nil {
		t.Skipf("SKIPPED: files cannot be kept from being removed here: %v", err)
	}
	defer unix.IoctlSetPointerInt(int(dir.Fd()), unix.FS_IOC_SETFLAGS, 0)
	giveOne()
	if other, _, err := u.Lend(); err != nil || other == one {
		t.Errorf("%d, %v", other, err)
	}
	if other, _, err := u.Lend(); err == nil {
		t.Errorf("%d is lent", other)
	} else if !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
	if err := unix.IoctlSetPointerInt(int(dir.Fd()), unix.FS_IOC_SETFLAGS, 0); err != nil {
		t.Fatal(err)
	}
	if again, _, err := u.Lend(); err != nil || again != one {
		t.Errorf("%d, %v", again, err)
	}
	exists(t, false, filepath.Join(place, "d"))
}

// Directories in directories take neither the host's files nor its patience.
func TestDeepDirectoriesGo(t *testing.T) {
	t.Parallel()
	u, place := lending(t, 61140)
	one, give, err := u.Lend()
	if err != nil {
		t.Fatal(err)
	}
	as(t, one, place, "i=0; while [ $i -lt 1000 ]; do mkdir d && cd d || exit 1; i=$((i+1)); done; touch f")
	give()
	entries := must(os.ReadDir(place))(t)
	if len(entries) != 0 {
		t.Error(entries)
	}
}

// Many lend and give back at the same time: nobody has the user of another, and what
// a user has left is gone when giving back returns.
func TestManyLendAtOnce(t *testing.T) {
	t.Parallel()
	u, place := lending(t, 61160)
	var all sync.WaitGroup
	var mine sync.Map
	for i := range 8 {
		all.Go(func() {
			for range 5 {
				uid, give, err := u.Lend()
				if err != nil {
					continue // all are taken
				}
				if other, taken := mine.LoadOrStore(uid, i); taken {
					t.Errorf("%d is lent to %d and %d", uid, other, i)
				}
				file := filepath.Join(place, strconv.Itoa(i))
				if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chown(file, int(uid), int(uid))); err != nil {
					t.Error(err)
				}
				mine.Delete(uid)
				give()
				exists(t, false, file)
			}
		})
	}
	all.Wait()
	for range 2 {
		if _, _, err := u.Lend(); err != nil {
			t.Error(err)
		}
	}
}

func TestSharedMemoryGoes(t *testing.T) {
	t.Parallel()
	needRoot(t)
	const uid = 61150
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4096, unix.IPC_CREAT|0o666)
	if err != nil {
		t.Skipf("SKIPPED: there is no such memory here: %v", err)
	}
	defer unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	var desc unix.SysvShmDesc
	if _, err := unix.SysvShmCtl(id, unix.IPC_STAT, &desc); err != nil {
		t.Fatal(err)
	}
	desc.Perm.Uid = uid
	if _, err := unix.SysvShmCtl(id, unix.IPC_SET, &desc); err != nil {
		t.Fatal(err)
	}
	if err := removeIPC(map[int]bool{uid + 1: true}); err != nil {
		t.Error(err)
	}
	table := func() string { return string(must(os.ReadFile("/proc/sysvipc/shm"))(t)) }
	if !strings.Contains(table(), " "+strconv.Itoa(uid)+" ") {
		t.Fatal(table())
	}
	if err := removeIPC(map[int]bool{uid: true}); err != nil {
		t.Error(err)
	}
	if strings.Contains(table(), " "+strconv.Itoa(uid)+" ") {
		t.Error(table())
	}
}
