//go:build unix

package child

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// testLog keeps what was logged, for failures.
type testLog struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *testLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *testLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// open returns a manager, of which nothing is left in the end.
func open(t *testing.T, o Options) *Manager {
	t.Helper()
	log := &testLog{}
	if o.TempDir == "" {
		o.TempDir = t.TempDir()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(log, nil))
	}
	m, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	dirOf(t, m) // what tests look into is there from the beginning
	t.Cleanup(func() {
		if err := errors.Join(m.Close(), m.Close()); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(o.TempDir); len(left) > 0 {
			t.Errorf("left: %v", left)
		}
		if t.Failed() {
			t.Log(log)
		}
	})
	return m
}

func dirOf(t *testing.T, m *Manager) string {
	t.Helper()
	dir, err := m.Dir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A host that starts nothing leaves nothing, however it ends.
func TestAManagerWithoutChildren(t *testing.T) {
	t.Parallel()
	temp := t.TempDir()
	m, err := Open(Options{TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	m.Sweep()
	if made, _ := os.ReadDir(temp); len(made) > 0 {
		t.Errorf("there is %v", made)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	if _, err := m.Dir(); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
	if m, err = Open(Options{TempDir: filepath.Join(temp, "none")}); err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.Start(Spec{Path: "/bin/true"}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
}

// A player is a child that plays a part, and what it has said.
type player struct {
	*Process
	t     *testing.T
	lines chan Line
	pids  []string
	past  []string // lines that nobody has waited for yet
}

func part(name string, args ...string) Spec {
	return Spec{Path: os.Args[0], Args: args, Env: append(Inherit("GORACE", "GOCOVERDIR"), partEnv+"="+name), Grace: time.Minute}
}

func start(t *testing.T, m *Manager, s Spec) *player {
	t.Helper()
	p := &player{t: t, lines: make(chan Line, 10_000)}
	if s.Output == nil {
		s.Output = func(l Line) {
			select {
			case p.lines <- l:
			default: // who prints for ever is not listened to for ever
			}
		}
	}
	var err error
	if p.Process, err = m.Start(s); err != nil {
		t.Fatal(err)
	}
	return p
}

// says waits for a line that begins so, and returns the rest of it. A line is
// there for one who waits for it; who names himself is written down at once.
func (p *player) says(begin string) string {
	p.t.Helper()
	for i, text := range p.past {
		if rest, ok := strings.CutPrefix(text, begin); ok {
			p.past = slices.Delete(p.past, i, i+1)
			return rest
		}
	}
	limit := time.After(time.Minute)
	for {
		select {
		case l := <-p.lines:
			pid, named := strings.CutPrefix(l.Text, "pid ")
			if named {
				p.pids = append(p.pids, pid)
			}
			if rest, ok := strings.CutPrefix(l.Text, begin); ok {
				return rest
			}
			if !named {
				p.past = append(p.past, l.Text)
			}
		case <-limit:
			p.t.Fatalf("it does not say %q; it printed: %s", begin, p.Tail())
		}
	}
}

// said is all that was said when the child has ended.
func (p *player) said() (all []string) {
	<-p.Done()
	for len(p.lines) > 0 {
		l := <-p.lines
		all = append(all, fmt.Sprintf("%d %s", l.Stream, l.Text))
	}
	return all
}

// ended holds what became of it, and that its directory has gone.
func (p *player) ended(e End, cause Cause, code int) {
	p.t.Helper()
	if e.Cause != cause || e.Code != code || e.Unended != 0 {
		p.t.Errorf("%+v, want %s and code %d", e, cause, code)
	}
	if code, signal := p.Exit(); code != e.Code || signal != e.Signal {
		p.t.Errorf("it exited with %d, %v, and ended with %+v", code, signal, e)
	}
	if _, err := os.Lstat(p.Dir()); !errors.Is(err, os.ErrNotExist) {
		p.t.Errorf("its directory is left: %v", err)
	}
	if e.Ended.Before(e.Started) {
		p.t.Errorf("from %s to %s", e.Started, e.Ended)
	}
}

func TestHowAChildEnds(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	t.Run("by itself", func(t *testing.T) {
		p := start(t, m, part("exits", "0"))
		e := p.Wait()
		p.ended(e, Exited, 0)
		if !e.OK() || e.Err() != nil {
			t.Error(e)
		}
	})
	t.Run("with a code", func(t *testing.T) {
		p := start(t, m, part("exits", "3"))
		e := p.Wait()
		p.ended(e, Exited, 3)
		if err := e.Err(); err == nil || !strings.Contains(err.Error(), "code 3; it printed: ") || !strings.Contains(err.Error(), "it fails with 3") {
			t.Error(err)
		}
	})
	t.Run("asked to leave", func(t *testing.T) {
		p := start(t, m, part("polite"))
		p.says("ready")
		boom := errors.New("boom")
		e := p.Stop(boom)
		p.ended(e, Stopped, 7)
		if !errors.Is(e, boom) || !slices.Contains(p.said(), "0 bye") {
			t.Errorf("%v", e)
		}
		if p.Stop(nil).Reason != boom || p.Kill(nil).Reason != boom || p.Signal(os.Interrupt) == nil {
			t.Error("the first reason counts")
		}
	})
	t.Run("asked otherwise", func(t *testing.T) {
		s := part("shows")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		s.Stdin, s.Ask = r, func() { w.Close() }
		p := start(t, m, s)
		p.says("env")
		p.ended(p.Stop(nil), Stopped, 0)
	})
	t.Run("a program that is not there", func(t *testing.T) {
		_, err := m.Start(Spec{Path: "/nowhere/program"})
		var e End
		if !errors.As(err, &e) || e.Cause != NotStarted || !errors.Is(err, os.ErrNotExist) || e.Code != -1 {
			t.Errorf("%v", err)
		}
	})
}

func TestSpecsThatCannotBe(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	for name, s := range map[string]Spec{
		"no program":       {},
		"a relative one":   {Path: "true"},
		"no variable":      {Path: "/x", Env: []string{"x"}},
		"a variable twice": {Path: "/x", Env: []string{markerName + "=x"}},
		"a limit":          {Path: "/x", Limits: Limits{Memory: -1}},
		"wrapper":          {Path: "/x", Wrapper: []string{"env"}},
		"root alone":       {Path: "/x", User: &User{Exclusive: true}},
		"prepared badly":   {Path: "/x", Prepare: func(_ string, s *Spec) error { s.Path = "x"; return nil }},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		s.Files = []*os.File{w}
		if _, err := m.Start(s); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := r.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("%s: its file is open: %v", name, err)
		}
		r.Close()
	}
	if _, err := Open(Options{Cgroup: "x"}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
	if _, err := Open(Options{Every: -1}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}

func TestWhatAChildIsStartedWith(t *testing.T) {
	t.Setenv("DROVER_TEST_SECRET", "secret")
	t.Setenv("DROVER_TEST_GIVEN", "given")
	m := open(t, Options{})
	s := part("shows")
	s.Env = append(s.Env, append(Inherit("DROVER_TEST_GIV*", "PATH"), "TMP=/else")...)
	in, give, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	take, extra, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s.Stdin, s.Files = in, []*os.File{extra}
	s.Prepare = func(dir string, s *Spec) error {
		s.Env = append(s.Env, "PREPARED="+filepath.Join(dir, "x"))
		return os.WriteFile(filepath.Join(dir, "x"), nil, 0o600)
	}
	p := start(t, m, s)
	fmt.Fprint(give, "hello")
	give.Close()
	if text, err := io.ReadAll(take); string(text) != "through the extra file\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	take.Close()
	said := p.said()
	dir := p.Dir()
	for _, want := range []string{
		"0 dir " + dir, "0 env HOME=" + dir, "0 env TMPDIR=" + dir, "0 env TMP=/else", "0 env DROVER_TEST_GIVEN=given", "0 env DROVER_CHILD=" + dir,
		"0 env PREPARED=" + dir + "/x", `0 stdin "hello"`, "1 to errors",
	} {
		if !slices.Contains(said, want) {
			t.Errorf("it does not say %q: %q", want, said)
		}
	}
	if strings.Contains(fmt.Sprint(said), "secret") {
		t.Errorf("it has what it was not given: %q", said)
	}
	p.ended(p.Wait(), Exited, 0)
}

func TestADirectoryThatCannotBeEntered(t *testing.T) {
	t.Parallel()
	p := start(t, open(t, Options{}), part("spoils"))
	p.ended(p.Wait(), Exited, 0)
}

func TestClosingEndsAllChildren(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	polite, stubborn := start(t, m, part("polite")), part("stubborn")
	stubborn.Grace = time.Millisecond
	other := start(t, m, stubborn)
	polite.says("ready")
	other.says("ready")
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	polite.ended(polite.Wait(), HostClosing, 7)
	other.ended(other.Wait(), HostClosing, -1)
	if _, err := m.Start(part("exits", "0")); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
}

// Many are started and stopped at once, while the manager is being closed.
func TestStartsWhileClosing(t *testing.T) {
	t.Parallel()
	m := open(t, Options{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			p, err := m.Start(part("waits"))
			if err != nil {
				if !errtypes.Is(err, errtypes.Unavailable) {
					t.Error(err)
				}
				return
			}
			if i%2 == 0 {
				p.Kill(nil)
			}
			if e := p.Wait(); e.Cause != Stopped && e.Cause != HostClosing {
				t.Errorf("%+v", e)
			}
		})
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	wg.Wait()
}
