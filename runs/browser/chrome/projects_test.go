package chrome_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// in are the options of a session of a project.
func in(project string) browser.Options { return browser.Options{Project: project} }

// What two projects could see of each other in a common process, such as its
// clipboard, they have not in common.
func TestAProcessBelongsToOneProject(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "browsers of many projects")
	p := chrometest.Provider(t, spares(1))
	pids := map[int]string{}
	for _, project := range []string{"one", "two", ""} {
		first := openWith(t, p, in(project))
		chrome.WaitFilled(p)
		second, verified := openWith(t, p, in(project)), openWith(t, p, browser.Options{Project: project, Verified: true})
		if chrome.SessionPID(first) != chrome.SessionPID(second) {
			t.Errorf("the sessions of %q are in two processes", project)
		}
		for _, s := range []browser.Session{first, verified} {
			pid := chrome.SessionPID(s)
			if whose, taken := pids[pid]; taken {
				t.Errorf("%q and %q are in one process", whose, project)
			}
			pids[pid] = project
		}
	}
	for range 3 {
		chrome.WaitFilled(p)
		s := openWith(t, p, in("one"))
		if pids[chrome.SessionPID(s)] != "one" {
			t.Error("a later session of a project is in another process")
		}
		s.Close()
	}
}

// comes waits for what is to come within a minute.
func comes(t *testing.T, what string, there func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !there(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it does not come to that %s", what)
		}
	}
}

// Whatever happens to the browser of a project, another goes on.
func TestAProjectNoticesNothingOfAnother(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "browsers that are killed, hung, flooded and grown")
	srv, spinning := busySite(t)
	for name, harm := range map[string]func(t *testing.T, s browser.Session){
		"killed": func(t *testing.T, s browser.Session) {
			syscall.Kill(chrome.SessionPID(s), syscall.SIGKILL)
			<-s.Done()
		},
		"hung": func(t *testing.T, s browser.Session) {
			for _, pid := range chrome.SessionPIDs(s) {
				stopped(t, pid)
			}
		},
		"flooded": func(t *testing.T, s browser.Session) {
			connect(t, s)
			navigate(t, s, srv.URL+"/")
			r := ref(t, s, "Flood")
			go s.Click(context.Background(), r)
			<-spinning
		},
		"memory": func(t *testing.T, s browser.Session) {
			navigate(t, s, srv.URL+"/large")
			comes(t, "what the page takes is measured", func() bool { return chrome.Memory(s) > 900<<20 })
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := chrometest.Provider(t, func(o *chrome.Options) {
				o.Timeouts.Close, o.Timeouts.Queue, o.MaxMemory = 2*time.Second, 10*time.Second, 1<<30
			})
			harmed, other := openWith(t, p, in("one")), openWith(t, p, in("two"))
			harm(t, harmed)
			soon(t, "the other project's session", func() {
				for range 3 {
					if page := navigate(t, other, srv.URL+"/other"); page.Title != "Other" {
						t.Errorf("it shows %+v", page)
					}
				}
			})
			soon(t, "the other project's next session", func() {
				next := openWith(t, p, in("two"))
				if chrome.SessionPID(next) != chrome.SessionPID(other) {
					t.Error("the next session is in another process")
				}
				navigate(t, next, srv.URL+"/other")
				next.Close()
			})
			inLimit(t, "a third project's session", 30*time.Second, func() { navigate(t, openWith(t, p, in("three")), srv.URL+"/other") })
			if other.Err() != nil {
				t.Errorf("it ended: %v", other.Err())
			}
			if err := harmed.Err(); name == "memory" && (err == nil || !strings.Contains(err.Error(), "more memory than its share")) {
				t.Errorf("the one with the memory: %v", err)
			}
		})
	}
}

// A browser that hangs is found and ended as that of its project alone.
func TestAHungBrowserEndsTheSessionsOfItsProject(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "it waits for limits")
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Timeouts.Hung = 4 * time.Second })
	hung, other := openWith(t, p, in("one")), openWith(t, p, in("two"))
	stopped(t, chrome.SessionPID(hung))
	<-hung.Done()
	if err := hung.Err(); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "hung") {
		t.Errorf("the hung one: %v", err)
	}
	if _, err := other.Page(t.Context()); err != nil || other.Err() != nil {
		t.Errorf("the other: %v, %v", err, other.Err())
	}
}

// A host with one project starts one process. Once there are two, a further one
// waits for the third.
func TestTheProcessWithoutAnOwner(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "browsers of many projects")
	dir := chrometest.TempDir(t)
	c := clock.NewManual(time.Now())
	p := chrometest.Provider(t, spares(1), func(o *chrome.Options) {
		o.TempDir, o.Clock, o.Timeouts.Idle = dir, c, time.Minute
	})
	one := openWith(t, p, in("one"))
	openWith(t, p, in("one"))
	openWith(t, p, browser.Options{Project: "one", Verified: true})
	if pid := chrome.VacantPID(p); pid != 0 || chrome.IsPreparing(p) {
		t.Fatal("a process without an owner is kept for one project")
	}
	two := openWith(t, p, in("two"))
	vacant := chrome.WaitVacant(p)
	if vacant == chrome.SessionPID(one) || vacant == chrome.SessionPID(two) {
		t.Fatal("the process without an owner has one")
	}
	three := openWith(t, p, in("three"))
	if chrome.SessionPID(three) != vacant {
		t.Error("the third project does not take over the process that waits for it")
	}
	next := chrome.WaitVacant(p)
	if next == vacant {
		t.Error("the process that was taken over is waiting still")
	}
	chrome.WaitFilled(p) // none is being made as time passes
	c.Advance(45 * time.Second)
	openWith(t, p, in("two")).Close()
	chrome.WaitFilled(p) // none is being made as time passes
	c.Advance(45 * time.Second)
	if chrome.VacantPID(p) != next {
		t.Error("it ends while sessions are opened")
	}
	c.Advance(16 * time.Second)
	waitGone(t, next)
	chrome.WaitEnded(p)
	if chrome.VacantPID(p) != 0 || one.Err() != nil || three.Err() != nil {
		t.Errorf("after its time: %v, %v", one.Err(), three.Err())
	}
	openWith(t, p, in("four"))
	chrome.WaitVacant(p)
	p.Close()
	if left := chrome.ProcessesUsing(dir); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

// unstartable starts the browser as it is, until start tells it to start one that
// never answers.
func unstartable(t *testing.T) (change func(*chrome.Options), stick func()) {
	t.Helper()
	dir := t.TempDir()
	program, stuck := filepath.Join(dir, "browser"), filepath.Join(dir, "stuck")
	script := "#!/bin/sh\nif [ -e " + stuck + " ]; then exec cat <&3; fi\nexec " + chrometest.RequireChromium(t) + ` "$@"` + "\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return func(o *chrome.Options) { o.ExecPath = program }, func() {
		if err := os.WriteFile(stuck, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Sessions that wait for a process have no place that others could have.
func TestAProjectThatWaitsForAProcessBlocksNone(t *testing.T) {
	t.Parallel()
	change, stick := unstartable(t)
	p := chrometest.Provider(t, change, func(o *chrome.Options) {
		o.MaxSessions, o.Timeouts.Queue, o.Timeouts.Start = 2, -1, time.Hour // nobody waits for a slot, and the start has no end
	})
	openWith(t, p, in("one"))
	stick()
	waiting := make(chan error, 3)
	for range cap(waiting) {
		go func() { _, err := p.Open(context.Background(), in("two")); waiting <- err }()
	}
	chrome.WaitJoined(p, "two", cap(waiting))
	for range 3 {
		openWith(t, p, in("one")).Close()
	}
	p.Close()
	for range cap(waiting) {
		if err := <-waiting; !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("a session that waits when the provider closes: %v", err)
		}
	}
}

// Idle processes make room for a further one, those used least recently before
// others. A project that waits for room does not keep others from what they have.
func TestIdleProcessesMakeRoom(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "browsers of many projects")
	c := clock.NewManual(time.Now())
	p := chrometest.Provider(t, chrome.Unmeasured, func(o *chrome.Options) {
		o.Clock, o.MaxMemory = c, 3*(chrome.ProcessBytes+chrome.TabBytes)
	})
	pids, sessions := map[string]int{}, map[string]browser.Session{}
	begin := func(project string) {
		t.Helper()
		c.Advance(time.Second)
		sessions[project] = openWith(t, p, in(project))
		pids[project] = chrome.SessionPID(sessions[project])
	}
	runs := func(want ...string) {
		t.Helper()
		chrome.WaitEnded(p)
		for project, pid := range pids {
			if got := chrome.ProjectPID(p, project) == pid; got != slices.Contains(want, project) {
				t.Errorf("the process of %q runs: %v", project, got)
			}
		}
	}
	begin("one")
	begin("two")
	chrome.WaitVacant(p)
	begin("three")
	if chrome.IsPreparing(p) {
		t.Error("a process without an owner is started where there is no room")
	}
	sessions["two"].Close()
	c.Advance(time.Second)
	sessions["one"].Close()
	runs("one", "two", "three")
	begin("four")
	runs("one", "three", "four")
	begin("five")
	runs("three", "four", "five")
	opened := make(chan browser.Session, 1)
	go func() {
		s, err := p.Open(context.Background(), in("six"))
		if err != nil {
			t.Error(err)
		}
		opened <- s
	}()
	chrome.WaitJoined(p, "six", 1)
	soon(t, "a session of a project that has a process", func() { openWith(t, p, in("five")).Close() })
	sessions["three"].Close()
	if s := <-opened; s != nil {
		s.Close()
	}
	runs("four", "five")
}

// Spares go before any process does, whoever needs their memory.
func TestSparesMakeRoomFirst(t *testing.T) {
	t.Parallel()
	needsProc(t)
	p := chrometest.Provider(t, chrome.Unmeasured, spares(2), func(o *chrome.Options) { o.MaxMemory = 2*chrome.ProcessBytes + 2*chrome.TabBytes })
	first := openWith(t, p, in("one"))
	pid := chrome.SessionPID(first)
	chrome.WaitFilled(p)
	first.Close() // the process is idle, with two spares
	for i, want := range []int{1, 0} {
		openWith(t, p, in("two"))
		chrome.WaitEnded(p)
		chrome.WaitFilled(p)
		if n := chrome.Spares(p); n != want || chrome.ProjectPID(p, "one") != pid {
			t.Errorf("after session %d there are %d spares, and the idle process runs as %d", i+1, n, chrome.ProjectPID(p, "one"))
		}
	}
	openWith(t, p, in("two"))
	waitGone(t, pid)
}

// Who waits for memory in vain hears why.
func TestNoMemoryForAProcess(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t, chrome.Unmeasured, func(o *chrome.Options) { o.MaxMemory, o.Timeouts.Queue = chrome.ProcessBytes, -1 })
	s := openWith(t, p, in("one"))
	openWith(t, p, in("one")) // which has a process
	for name, o := range map[string]browser.Options{"another project": in("two"), "a process of its own": {Project: "one", OwnProcess: true}} {
		if _, err := p.Open(t.Context(), o); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "memory") {
			t.Errorf("%s: %v", name, err)
		}
	}
	navigate(t, s, pages(t, map[string]string{"/": "<title>t</title>"}).URL+"/")
}

func TestARemoteBrowserServesOneProject(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "browsers elsewhere")
	addr := elsewhere(t)
	p := remoteProvider(t, "http://"+addr)
	one := openWith(t, p, in("one"))
	again := openWith(t, p, in("one"))
	if _, err := p.Open(t.Context(), in("two")); !errtypes.Is(err, errtypes.Conflict) || !strings.Contains(err.Error(), "one project at a time") {
		t.Errorf("a second project: %v", err)
	}
	one.Close()
	again.Close()
	two := openWith(t, p, in("two"))
	if _, err := p.Open(t.Context(), in("one")); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("the first project beside the second: %v", err)
	}
	two.Close()

	both := remoteProvider(t, "http://"+addr, func(o *chrome.Options) { o.RemoteShared = true })
	srv := pages(t, map[string]string{"/": `<title>t</title>`})
	for _, s := range []browser.Session{openWith(t, both, in("one")), openWith(t, both, in("two"))} {
		navigate(t, s, srv.URL+"/")
	}
}
