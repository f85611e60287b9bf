//go:build unix

package child

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Parts are played by the test binary itself.

// partEnv makes the test binary play a part: one of parts, by name.
const partEnv = "DROVER_CHILD_TEST_PART"

func TestMain(m *testing.M) {
	if part := parts[os.Getenv(partEnv)]; part != nil {
		fmt.Println("pid", os.Getpid())
		part(os.Args[1:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// parts are what children do in tests.
var parts = map[string]func(args []string){
	"chatty": chatty,
	"half":   half,
	"exits":  exits, "waits": func([]string) { forEver() }, "polite": polite, "stubborn": stubborn, "family": familyPart, "leaves": leaves,
	"detaches": detaches, "flees": flees, "orphans": orphans, "eats": eats, "burns": burns, "prints": prints, "no newline": noNewline,
	"closes": closes, "shows": shows, "spoils": spoils, "fills": fills, "grows": grows,
}

// forEver is what ends with a signal only.
func forEver() {
	signal.Reset()
	for {
		<-make(chan int)
	}
}

func exits(args []string) {
	code, _ := strconv.Atoi(args[0])
	fmt.Fprintln(os.Stderr, "it fails with", code)
	os.Exit(code)
}

func polite([]string) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	fmt.Println("ready")
	<-c
	fmt.Println("bye")
	os.Exit(7)
}

func stubborn([]string) {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	fmt.Println("ready")
	for {
		<-make(chan int)
	}
}

// play starts the test binary in another part, which has the same outputs.
func play(part string, change func(*exec.Cmd), args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), partEnv+"="+part)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if change != nil {
		change(cmd)
	}
	if err := cmd.Start(); err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	return cmd
}

func newSession(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// familyPart starts as many as it is told, half of them in sessions of their
// own, and waits.
func familyPart(args []string) {
	n, _ := strconv.Atoi(args[0])
	for i := range n {
		change := newSession
		if i%2 == 0 {
			change = nil
		}
		play("stubborn", change)
	}
	stubborn(nil)
}

// leaves calls setsid twice, with a fork each time, and exits when the one that
// remains has been started, or when it is asked to.
func leaves(args []string) {
	play("detaches", newSession).Wait()
	if args[0] != "" {
		polite(nil)
	}
}

func detaches([]string) { play("stubborn", newSession) }

// flees runs from its end: each starts another in a session of its own and
// exits.
func flees([]string) { play("flees", newSession) }

// orphans takes nothing of the marker along, gives the last of three a session of
// its own, and has the one between leave: at once, or when it is asked to.
func orphans(args []string) {
	next := map[string]string{"first": "between", "between": "last"}[args[0]]
	if next == "" {
		stubborn(nil)
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	play("orphans", func(c *exec.Cmd) {
		c.Env = []string{partEnv + "=orphans"}
		newSession(c)
	}, next, args[1])
	switch {
	case args[0] == "first":
		stubborn(nil)
	case args[1] == "asked":
		<-c
	}
}

func eats([]string) {
	var all [][]byte
	for {
		piece := make([]byte, 8<<20)
		for i := 0; i < len(piece); i += os.Getpagesize() {
			piece[i] = 1
		}
		all = append(all, piece)
		time.Sleep(10 * time.Millisecond)
		if len(all) > 512 {
			forEver() // 4 GiB must be enough for any test
		}
	}
}

func burns([]string) {
	for i := 0; ; i++ {
		_ = i
	}
}

func prints([]string) {
	for i := 0; ; i++ {
		fmt.Println("line", i)
	}
}

func noNewline([]string) {
	text := bytes.Repeat([]byte{'x'}, 64<<10)
	for {
		os.Stdout.Write(text)
	}
}

// closes goes on without outputs until it is asked to leave.
func closes([]string) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	os.Stdout.Close()
	os.Stderr.Close()
	<-c
	os.Exit(3)
}

// shows prints what it was started with.
func shows([]string) {
	dir, _ := os.Getwd()
	fmt.Println("dir", dir)
	for _, e := range os.Environ() {
		fmt.Println("env", e)
	}
	var in [100]byte
	n, _ := os.Stdin.Read(in[:])
	fmt.Printf("stdin %q\n", in[:n])
	if f := os.NewFile(3, "extra"); f != nil {
		fmt.Fprintln(f, "through the extra file")
	}
	fmt.Fprintln(os.Stderr, "to errors")
	fmt.Println("user", os.Geteuid(), os.Getegid())
}

// spoils leaves a directory that cannot be entered.
func spoils([]string) {
	dir := os.Getenv("TMPDIR") + "/a/b"
	if err := os.MkdirAll(dir, 0o700); err != nil {
		fmt.Println("failed", err)
	}
	os.WriteFile(dir+"/c", nil, 0)
	os.Chmod(dir, 0)
	os.Chmod(os.Getenv("TMPDIR")+"/a", 0)
}

// fills makes files of 64 KiB, as many as it is told, in its directory or one below.
func fills(args []string) {
	n, _ := strconv.Atoi(args[0])
	for i := range n {
		if err := os.WriteFile(args[1]+"/"+strconv.Itoa(i), make([]byte, 64<<10), 0o600); err != nil {
			fmt.Println("failed", err)
		}
	}
}

// grows makes one file that is as large as it may be.
// grows writes to a file, once its input has ended.
func grows([]string) {
	signal.Ignore(syscall.SIGXFSZ)
	_, _ = io.Copy(io.Discard, os.Stdin)
	f, err := os.Create("grown")
	for err == nil {
		_, err = f.Write(make([]byte, 64<<10))
	}
	info, _ := f.Stat()
	fmt.Println("grown", info.Size(), errors.Is(err, syscall.EFBIG))
}
