package chrome

import (
	"cmp"
	"log/slog"
	"os"
	"time"

	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/limit"
	"github.com/drover-go/drover/internal/telemetry"
)

// Options are the settings of a [Provider]. Gate must be set, or Proxy.
type Options struct {
	// ExecPath is the Chromium to start: a path, or a name to look for in
	// PATH. Default: what [Find] finds.
	ExecPath string
	// RemoteURL is the DevTools endpoint of a browser that runs already, to use
	// instead of starting one: ws:// or wss://, or the http:// or https:// address
	// whose /json/version names it. Sessions are isolated contexts in it. It is
	// the host's own choice and not subject to Gate. What sessions ask for and it
	// cannot give is refused with an Invalid error: Verified, OwnProcess and
	// Profile always; proxies, allowed domains and the blocking of advertisements
	// where it cannot reach the sessions' proxies, which listen on loopback: then
	// its pages reach what its own network reaches, private addresses included,
	// and no bytes are counted. Where it does not see this machine's files,
	// downloads and uploads are refused. User name, password and query are
	// secrets and never shown. Default none.
	RemoteURL string
	// Gate decides what sessions may connect to. No default: New fails with
	// neither Gate nor Proxy.
	Gate *egress.Gate
	// Proxy makes the forward proxy of each session, the only way out that a
	// session has. Default: a proxy on Gate that does nothing else.
	Proxy ProxyFactory
	// RemoteShared lets sessions of several projects be in the browser at
	// RemoteURL at a time: nothing but browser contexts is between them then.
	// Default false: while a project has sessions in it, those of others are
	// refused with a Conflict error.
	RemoteShared bool
	// MaxSessions is how many sessions may be open at a time; Open waits, for
	// Timeouts.Queue, beyond it. Default 10.
	MaxSessions int
	// Children starts the browsers, with what else the host starts, and ends what
	// is left of them. It is opened with [Options.ChildOptions], and closed after
	// the provider by whoever gives it. Default one of the provider's own.
	Children *child.Manager
	// Admission is the ledger of memory in which browsers are booked, with what
	// else the host starts: 130 MB a process, 55 MB a session and as much a spare;
	// after ten seconds what a process with its sessions was measured to take, if
	// that is more than what is booked for the sessions.
	// When room is short, spares go first, then processes that nobody uses, those
	// used least recently before others; then who needs a further process waits,
	// for Timeouts.Queue. A session in a process that is there is never refused.
	// Where a project waits for half of that, and another has more than its share of
	// the whole, the other's largest browser that has grown beyond what was booked for
	// it is ended, with its sessions.
	// Default one of MaxMemory.
	Admission *admission.Ledger
	// MaxMemory is how many bytes a ledger of the provider's own has. Default
	// three quarters of what the machine has, or of what the control groups of
	// this process allow.
	MaxMemory int64
	// Spares is how many sessions are kept ready for a project once its first one
	// has been opened, so that the next are there at once: each is an empty tab of
	// some 55 MB. They count towards MaxMemory. Default 2; below 0 none.
	Spares int
	// MaxTabs is how many tabs one session may have; a tab that a page opens
	// beyond it is closed at once. Default 20.
	MaxTabs int
	// TempDir is where profiles live while a browser runs. Default os.TempDir().
	TempDir string
	// Logger gets what is of interest to the host. Default slog.Default().
	Logger *slog.Logger
	// Telemetry counts browsers. Default nil: nobody does.
	Telemetry *telemetry.Telemetry
	// Clock is the source of time. Default the system's.
	Clock clock.Clock
	// Windowed shows the browser's windows, which needs a display. Default
	// false: headless.
	Windowed bool
	// Timeouts bound what is waited for. Default: see there.
	Timeouts Timeouts
	// Settle says when a page counts as settled. Default: see there.
	Settle Settle
	// Limits bound what is taken from a page. Default: see there.
	Limits Limits

	// Clients bound what external clients of a session may use. Default: see
	// there.
	Clients Clients

	// unguarded leaves the guards out, for the tests that show what they do.
	unguarded bool
	// unmeasured books what was reserved alone, for the tests that count it.
	unmeasured bool
	// unwatched goes on where the network service has ended, for the tests that
	// show what is then.
	unwatched bool
}

// Timeouts bound what a browser is waited for. A zero field has its default.
type Timeouts struct {
	// Queue is how long Open waits while MaxSessions are open, and before that
	// for the memory of a process; then it fails with errtypes.Unavailable.
	// Default 30 s; below 0 it fails at once.
	Queue time.Duration
	// Start bounds starting the browser, and opening a session in it.
	// Default 30 s.
	Start time.Duration
	// Idle is how long a browser without a session is kept, and the one that
	// waits for a further project while no session is opened. Default 60 s;
	// below 0 it ends at once.
	Idle time.Duration
	// Close bounds a browser's own way out, and that of a session; then the
	// browser is killed. Default 10 s.
	Close time.Duration
	// Navigate bounds the wait for the beginning of a page, redirects included;
	// then the error is a GatewayTimeout. It bounds the document, too, see
	// Settle.Document. Default 30 s.
	Navigate time.Duration
	// Call bounds every other question to a page, settling not counted; a
	// page that is busy for longer is a GatewayTimeout. Default 20 s.
	Call time.Duration
	// Hung is how long a browser may say nothing while a question to it is open.
	// Then it is killed, and its sessions end. Default 10 s; below 0 it may for
	// ever.
	Hung time.Duration
	// Dialog is how long a dialog that asks something waits for the answer of who
	// drives the session, where that one wants to be asked; then it is dismissed.
	// Default 2 min.
	Dialog time.Duration
	// HandOver bounds the wait, when a session is closed, for the downloads
	// that are complete to be taken. Default 60 s.
	HandOver time.Duration
}

func (t *Timeouts) values() []limit.Value {
	return []limit.Value{
		limit.Or("Queue", &t.Queue, 30*time.Second).Signed(),
		limit.Or("Start", &t.Start, 30*time.Second),
		limit.Or("Idle", &t.Idle, 60*time.Second).Signed(),
		limit.Or("Close", &t.Close, 10*time.Second),
		limit.Or("Navigate", &t.Navigate, 30*time.Second),
		limit.Or("Call", &t.Call, 20*time.Second),
		limit.Or("Hung", &t.Hung, 10*time.Second).Signed(),
		limit.Or("Dialog", &t.Dialog, 2*time.Minute),
		limit.Or("HandOver", &t.HandOver, 60*time.Second),
	}
}

// Validate refuses limits below 0, but for Queue, Idle and Hung. Error kind: Invalid, which
// names the field.
func (t Timeouts) Validate() error { return limit.Check(t.values()...) }

// Limits bound what is taken from a page. A zero field has its default.
type Limits struct {
	// Elements of a snapshot, frames included; beyond it only what can be seen
	// without scrolling is listed, up to as many again, and the snapshot is
	// truncated. Default 25000.
	Elements int
	// Text of a snapshot in characters; beyond it the same. Default 1000000.
	Text int
	// Frames of a page that a snapshot enters; others are listed without
	// their content. Default 30.
	Frames int
	// FrameDepth is how deep frames within frames are entered. Default 4.
	FrameDepth int
	// Dialogs kept until the next Page; later ones are answered and
	// forgotten. As many notes of downloads. Default 20.
	Dialogs int
	// Message is the length in characters at which a dialog's text, a title
	// and the name of a covering element are cut. Default 1000.
	Message int
	// Downloads that a session may have under way at a time, with those that
	// are being taken; others are refused. Default 10.
	Downloads int
	// DownloadBytes is the size of a file at which its download is broken off.
	// Default 256 MiB.
	DownloadBytes int64
	// UploadBytes bounds what one Upload, and UploadedBytes what one session,
	// writes to files for pages, which are kept until it ends. Default 100 MiB
	// and 500 MiB.
	UploadBytes, UploadedBytes int64
	// UploadFiles bounds the files of one Upload. Default 100.
	UploadFiles int
	// Events that wait for an observer; what comes beyond is counted and
	// dropped. Default 2000.
	Events int
	// EventRate is how many events of one session, of all its tabs together, an
	// observer is told a second; what comes beyond is counted and dropped. A
	// tab whose console is beyond it is not listened to until it shows another
	// page. Default 500.
	EventRate int
	// PDFBytes is the size of a printed page at which it is refused. Default
	// 100 MiB.
	PDFBytes int64
	// Pixels of the large pictures that one browser makes at a time, for all
	// sessions in it; others wait for their turn. A printed document counts a
	// quarter of it, a picture three quarters at most, and one of up to 4 million
	// pixels not at all. Of pictures beyond a quarter there is one at a time.
	// Default 100 million.
	Pixels int
	// ProfileBytes is what the pages of a session with a process of its own may
	// store, caches included; then its browser is killed. It is looked at every
	// two seconds. Default 2 GiB; below 0 as much as there is room.
	ProfileBytes int64
}

func (l *Limits) values() []limit.Value {
	return []limit.Value{
		limit.Or("Elements", &l.Elements, 25_000),
		limit.Or("Text", &l.Text, 1_000_000),
		limit.Or("Frames", &l.Frames, 30),
		limit.Or("FrameDepth", &l.FrameDepth, 4),
		limit.Or("Dialogs", &l.Dialogs, 20),
		limit.Or("Message", &l.Message, 1000),
		limit.Or("Downloads", &l.Downloads, 10),
		limit.Or("DownloadBytes", &l.DownloadBytes, 256<<20),
		limit.Or("UploadBytes", &l.UploadBytes, 100<<20),
		limit.Or("UploadedBytes", &l.UploadedBytes, 500<<20),
		limit.Or("UploadFiles", &l.UploadFiles, 100),
		limit.Or("Events", &l.Events, 2000),
		limit.Or("EventRate", &l.EventRate, 500),
		limit.Or("PDFBytes", &l.PDFBytes, 100<<20),
		limit.Or("Pixels", &l.Pixels, 100_000_000),
		limit.Or("ProfileBytes", &l.ProfileBytes, 2<<30).Signed(),
	}
}

// Validate refuses limits below 0, but for ProfileBytes. Error kind: Invalid, which
// names the field.
func (l Limits) Validate() error { return limit.Check(l.values()...) }

func (o *Options) values() []limit.Value {
	return []limit.Value{
		limit.Or("MaxSessions", &o.MaxSessions, 10),
		limit.Of("MaxMemory", o.MaxMemory),
		limit.Or("Spares", &o.Spares, 2).Signed(),
		limit.Or("MaxTabs", &o.MaxTabs, 20),
	}
}

// Validate refuses limits below 0, but for those in which that has a meaning:
// see there. Error kind: Invalid, which names the field.
func (o Options) Validate() error {
	return cmp.Or(
		limit.Check(o.values()...),
		limit.Within("Timeouts", o.Timeouts.Validate()),
		limit.Within("Settle", o.Settle.Validate()),
		limit.Within("Limits", o.Limits.Validate()),
		limit.Within("Clients", o.Clients.Validate()),
	)
}

func (o Options) withDefaults() Options {
	limit.Fill(o.values()...)
	o.TempDir = cmp.Or(o.TempDir, os.TempDir())
	o.Logger = cmp.Or(o.Logger, slog.Default())
	o.Clock = cmp.Or(o.Clock, clock.System())
	limit.Fill(o.Timeouts.values()...)
	if o.Proxy == nil {
		o.Proxy = gateProxy(o)
	}
	limit.Fill(o.Settle.values()...)
	limit.Fill(o.Limits.values()...)
	limit.Fill(o.Clients.values()...)
	return o
}

// Settle says when a page counts as settled: after a click or typing it is
// watched for a while. If it navigates, its load event is waited for; if it
// sends requests for documents, styles, scripts or data, their end is. A zero
// field has its default.
type Settle struct {
	// Watch is how long a page is given at most to react to an action: it has when
	// nothing changes in it for two animation frames, unless it has set a timer, or
	// cannot be asked. Default 500 ms.
	Watch time.Duration
	// Timers is how long timers that an action has set are given, of Watch; those
	// that typing sets are given all of it, because pages wait for its end. What
	// they do later is seen by whoever looks again. Default 150 ms.
	Timers time.Duration
	// Load bounds the wait for the load event of a navigation that an action
	// caused. Default 10 s.
	Load time.Duration
	// Requests bounds the wait for the requests that an action caused.
	// Default 5 s.
	Requests time.Duration
	// Quiet is how long a page is given to show what its requests brought.
	// Default 500 ms.
	Quiet time.Duration
	// Document bounds the wait for the end of a document after Navigate, once
	// it has begun to come; then what is there is all that is read. Default
	// 15 s.
	Document time.Duration
	// NavigateLoad bounds the wait for the load event after Navigate, once
	// the document is there. Default 5 s.
	NavigateLoad time.Duration
	// AfterLoad bounds the wait for requests that are under way when a page
	// has loaded. Default 2 s.
	AfterLoad time.Duration
	// Still is how long an element that moves is waited for to come to rest
	// before it is clicked where it is. Default 3 s.
	Still time.Duration
	// Linger is how long a loaded page is watched for moving on to another by
	// itself. Default 100 ms.
	Linger time.Duration
}

func (s *Settle) values() []limit.Value {
	return []limit.Value{
		limit.Or("Watch", &s.Watch, 500*time.Millisecond),
		limit.Or("Timers", &s.Timers, 150*time.Millisecond),
		limit.Or("Load", &s.Load, 10*time.Second),
		limit.Or("Requests", &s.Requests, 5*time.Second),
		limit.Or("Quiet", &s.Quiet, 500*time.Millisecond),
		limit.Or("Document", &s.Document, 15*time.Second),
		limit.Or("NavigateLoad", &s.NavigateLoad, 5*time.Second),
		limit.Or("AfterLoad", &s.AfterLoad, 2*time.Second),
		limit.Or("Still", &s.Still, 3*time.Second),
		limit.Or("Linger", &s.Linger, 100*time.Millisecond),
	}
}

// Validate refuses times below 0. Error kind: Invalid, which names the field.
func (s Settle) Validate() error { return limit.Check(s.values()...) }
