package chrome

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// What tests in package chrome_test see and do of the inside.

// ProcessesUsing lists the processes of browsers whose files are below dir.
func ProcessesUsing(dir string) (pids []int) {
	entries, _ := os.ReadDir("/proc") // there are none where they are not listed
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		// A zombie's command line is empty: it is dead, and its parent's to reap.
		cmdline, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		cmdline = append(bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '}), ' ')
		if process.IsBrowser(cmdline) && (bytes.Contains(cmdline, []byte(dir+"/")) || bytes.Contains(cmdline, []byte("="+dir+" "))) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// KillUsing ends them and waits until they are gone.
func KillUsing(dir string) {
	for deadline := time.Now().Add(testlevel.Loaded(10 * time.Second)); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		pids := ProcessesUsing(dir)
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			if p, err := os.FindProcess(pid); err == nil {
				p.Kill()
			}
		}
	}
}

// Unmeasured books for browsers what was reserved, whatever they take.
func Unmeasured(o *Options) { o.unmeasured = true }

// Tabs counts the tabs of a session.
func Tabs(s browser.Session) int {
	return len(s.Tabs())
}

// TargetsOf are the ids of the targets of a type in a session, whoever may see
// them.
func TargetsOf(t testing.TB, s browser.Session, kind string) (ids []target.ID) {
	t.Helper()
	in := s.(*session)
	res, err := cdp.Call(t.Context(), in.process().Browser(), target.GetTargets, target.GetTargetsParams{Filter: target.Filter{{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range res.TargetInfos {
		if info.Type == kind && info.BrowserContextID == in.ContextID() {
			ids = append(ids, info.TargetID)
		}
	}
	if len(ids) == 0 {
		t.Fatalf("there is no %s", kind)
	}
	return ids
}

// BrowserPID is the id of the main process of the browser that belongs to the
// project without a name; 0 if none runs.
func BrowserPID(p *Provider) int {
	proc := processOf(p, "")
	if proc == nil {
		return 0
	}
	return proc.PID()
}

// processOf is the process of a project; nil if none runs.
func processOf(p *Provider, project string) *process.Process {
	return p.fleet.Process(process.Owner{Project: project})
}

// ProjectPID is the id of the main process of a project's browser; 0 if none runs.
func ProjectPID(p *Provider, project string) int {
	if proc := processOf(p, project); proc != nil {
		return proc.PID()
	}
	return 0
}

// What the ledger books.
const (
	ProcessBytes = process.ProcessBytes
	TabBytes     = process.TabBytes
)

// VacantPID is the id of the main process of the browser that has no owner; 0 if
// none runs.
func VacantPID(p *Provider) int {
	if proc, _, _ := p.fleet.Vacant(); proc != nil {
		return proc.PID()
	}
	return 0
}

// IsPreparing reports whether a browser without an owner is being started.
func IsPreparing(p *Provider) bool {
	_, kept, _ := p.fleet.Vacant()
	return kept
}

// WaitVacant returns the id of the main process of the browser that has no owner
// once there is one, with the spare that it is to have.
func WaitVacant(p *Provider) int {
	for {
		if _, _, filled := p.fleet.Vacant(); filled {
			return VacantPID(p)
		}
		runtime.Gosched()
	}
}

// WaitJoined returns when so many sessions of a project are open or wait for its
// process.
func WaitJoined(p *Provider, project string, n int) {
	for p.fleet.Users(process.Owner{Project: project}) < n {
		runtime.Gosched()
	}
}

// RendererPIDs lists the processes of the browser that run pages, of all
// sessions.
func RendererPIDs(t testing.TB, s browser.Session) (pids []int) {
	t.Helper()
	for _, pid := range SessionPIDs(s) {
		cmdline, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "cmdline"))
		if err == nil && strings.Contains(string(cmdline), "--type=renderer") {
			pids = append(pids, pid)
		}
	}
	if len(pids) == 0 {
		t.Fatal("no renderer runs")
	}
	return pids
}

// StopScreencast ends the screencast of a session's page behind its back.
func StopScreencast(t testing.TB, s browser.Session) {
	t.Helper()
	ctx, tab := s.(*session).Attached()
	if _, err := cdp.Call(ctx, tab, page.StopScreencast, cdp.Empty{}); err != nil {
		t.Fatal(err)
	}
}

// CrashPage makes the page of a session crash.
func CrashPage(t testing.TB, s browser.Session) {
	t.Helper()
	ctx, tab := s.(*session).Attached()
	cdp.Call(ctx, tab, page.Crash, cdp.Empty{}) // never answered
}

// CrashFrame makes the frame of another site crash that was read last.
func CrashFrame(t testing.TB, s browser.Session) {
	t.Helper()
	ctx, frame := s.(*session).AttachedFrame()
	if frame == nil {
		t.Fatal("no frame is attached to")
	}
	go cdp.Call(ctx, frame, page.Crash, cdp.Empty{}) // never answered
}

// WaitEnded waits for processes and spares on their way out.
func WaitEnded(p *Provider) { p.fleet.WaitEnded() }

// WaitStarting returns when a browser is being started, or runs.
func WaitStarting(p *Provider) {
	for !p.fleet.Begun() {
		runtime.Gosched()
	}
}

// Unguard leaves out the flags that keep the browser behind its proxies.
func Unguard(o *Options) { o.unguarded = true }

// Casts counts the screencasts that the browser makes for the session.
func Casts(s browser.Session) int {
	return s.(*session).Casts()
}

// Spares counts the sessions that are ready to be opened, of all projects.
func Spares(p *Provider) int {
	n, _ := p.fleet.Spares()
	return n
}

// WaitFilled returns when no spare is being made any more.
func WaitFilled(p *Provider) {
	for {
		if _, filling := p.fleet.Spares(); !filling {
			return
		}
		runtime.Gosched()
	}
}

// KillSpare ends the page of the oldest spare.
func KillSpare(t testing.TB, p *Provider) {
	t.Helper()
	s := p.fleet.OldestSpare(process.Owner{}).(*session)
	CrashPage(t, s)
	ctx, _ := s.Attached()
	<-ctx.Done()
}

// KillBrowser ends the browser of a provider as the system would.
func KillBrowser(p *Provider) {
	processOf(p, "").Kill()
}

// Routes counts the protocol sessions of external clients that the browser's
// connection knows.
func Routes(s browser.Session) int {
	in := s.(*session)
	return in.process().Wire().Routes() - in.Listening()
}

// Contexts lists the browser contexts that were made in the browser.
func Contexts(t testing.TB, s browser.Session) int {
	t.Helper()
	res, err := cdp.Call(t.Context(), s.(*session).process().Browser(), target.GetBrowserContexts, cdp.Empty{})
	if err != nil {
		t.Fatal(err)
	}
	return len(res.BrowserContextIDs)
}

// WaitClosed returns when the session knows that a tab is closed.
func WaitClosed(s browser.Session, id string) {
	in := s.(*session)
	for turned := in.Turning(); in.Tab(target.ID(id)) != nil; turned = in.Turning() {
		if in.Tab(target.ID(id)) != nil {
			<-turned
		}
	}
}

// HungAfter is how often a browser is looked at while it says nothing.
func HungAfter(p *Provider) time.Duration { return p.opts.Timeouts.Hung / process.SilentRounds }

// SessionPID is the id of the main process of a session's browser.
func SessionPID(s browser.Session) int { return s.(*session).process().PID() }

// WaitOpen returns when so many sessions are open or being opened.
func WaitOpen(p *Provider, n int) {
	for {
		p.mu.Lock()
		open := len(p.open)
		p.mu.Unlock()
		if open >= n {
			return
		}
		runtime.Gosched()
	}
}

// Unread is how many bytes wait for the clients of all sessions.
func Unread(p *Provider) int { return p.mux.Backlog.Unread() }

// Drawing is the most pixels of large pictures that were drawn at a time, until
// done is closed.
func Drawing(p *Provider, done <-chan struct{}) (most int64) {
	t := processOf(p, "").Turns()
	for {
		select {
		case <-done:
			return most
		default:
			most = max(most, t.Drawing())
			runtime.Gosched()
		}
	}
}

// GateProxy makes the proxies that sessions have by default.
func GateProxy(o Options) ProxyFactory { return gateProxy(o.withDefaults()) }

// WaitClosing returns when a provider closes and has counted its sessions.
func WaitClosing(p *Provider) { <-p.life.Done() }
