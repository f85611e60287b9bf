package runs

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/models"
	"github.com/drover-go/drover/runs/internal/secrets"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/runs/tools"
	"github.com/drover-go/drover/storage"
)

// activeRun is one run while it is executed. It is used by one goroutine.
type activeRun struct {
	*service
	row
	vault *secrets.Vault
	tools *tools.Set
	// proxies are those with passwords; nil where none have.
	proxies *Proxies

	// ctx ends with the run; its cause says why.
	ctx    context.Context
	cancel context.CancelCauseFunc

	session  browser.Session
	watchers sync.WaitGroup

	// unstored runs are in no table: one-shots.
	unstored bool
	limits   Limits // those of the service, and what bounds the run further
	asker    *models.Asker
	suspend  func() (resume func()) // of the time that the run may take

	// said is the conversation as the model is told it.
	said    transcript
	seen    []model.Part // pictures of the step, for the model alone
	repeats repeats
	usage   Usage
	unsaved Usage           // the part of it that is not in the database yet
	noted   json.RawMessage // a partial result
	typed   int             // texts of persons
	kept    time.Duration   // by persons
	number  int             // of the step
	asking  time.Duration   // of the step, for the model
	bad     int             // steps in a row that failed
	idle    int             // answers in a row without a call
	refused int             // results that did not fit
	refusal string          // what was wrong with the last of them
	// refusedNow says that a result did not fit in this step.
	refusedNow bool
	final      bool // nothing but the end may be called any more

	// Of one-shots that only look: what the model is told in place of how to act,
	// and which tools may be called; nil for all.
	system string
	may    func(tool string) bool
	// asks says that a model may answer the dialogs of pages.
	asks bool
}

func newActiveRun(ctx context.Context, s *service, r row, vault *secrets.Vault) *activeRun {
	if vault == nil {
		vault = secrets.New(nil) // it may come to learn something
	}
	x := &activeRun{service: s, row: r, vault: vault, limits: s.limitsOf(r), suspend: func() func() { return func() {} }}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	return x
}

// prepare makes the tools of the run. Its error is a fault of the service: the
// schema was accepted when the run was created.
func (x *activeRun) prepare() error {
	entry, err := x.models.Find(x.Model)
	if err != nil {
		return err
	}
	x.asker = x.newAsker(entry)
	l := x.limits
	o := tools.Options{
		Session: func(context.Context) (browser.Session, error) { return x.open() },
		Task:    x.Task, Variables: x.vault, ResultSchema: x.schema(),
		Timeout: l.ToolTimeout, MaxOutput: min(l.MaxMessage*2/3, l.MaxOutput, max(x.viewLimit()/4, minOutput)), MaxHTML: l.MaxPage, MaxResult: l.MaxResult,
		AcceptDialogs: !x.asks, Files: x.files,
		Images: x.asker.Entry().Caps().Images, MaxImageEdge: x.asker.Entry().Caps().MaxImageEdge,
		AskHuman: x.conf.Hooks.Human && !x.unstored, Own: x.ownTools(),
		Shape: x.shapes(),
		Clock: x.conf.Clock, Logger: x.conf.Logger.With("run", x.ID),
	}
	x.addWeb(&o)
	if raw := x.schema(); raw != nil {
		// Whoever asks for an e-mail address or a time wants one, though by
		// itself "format" is a remark in the newer drafts.
		compiled, err := schema.Compile(raw, schema.Options{Field: "resultSchema", AssertFormat: true})
		if err != nil {
			return err
		}
		o.Validate = func(result json.RawMessage) error { _, err := compiled.ValidateJSON(result); return err }
	}
	x.tools = tools.New(o)
	return nil
}

// minOutput is the least that a tool may answer, however little a model can read.
const minOutput = 2000

// open returns the run's browser session, opening it at the first call: a run
// that fails before it needs one starts no browser.
func (x *activeRun) open() (browser.Session, error) {
	if x.session != nil {
		return x.session, nil
	}
	session, err := x.openSession()
	if err != nil {
		return nil, err
	}
	x.session = session
	x.watchers.Go(x.watch)
	if x.unstored {
		return session, nil
	}
	return session, x.noteSession()
}

func (x *activeRun) openSession() (browser.Session, error) {
	if id := x.options.SessionID; id != "" {
		j := sessions.Join{Secrets: len(x.variables) > 0, Hide: x.vault}
		return x.conf.Sessions.Join(x.ctx, x.projectID, id, j)
	}
	return x.conf.Sessions.OpenFor(x.ctx, x.projectID, x.sessionOf())
}

// sessionSpare is how much longer a session may last than its run, which ends
// it.
const sessionSpare = time.Minute

// sessionOf is the session that the run asks for.
func (x *activeRun) sessionOf() sessions.Create {
	settings := BrowserSettings{Context: x.settings.Context, Proxies: x.settings.Proxies, Verified: x.settings.Verified}
	if x.proxies != nil {
		settings.Proxies = *x.proxies
	}
	return sessions.Create{
		Settings: settings.session(len(x.variables), x.options.Domains), Hide: x.vault,
		Timeout: x.limits.MaxDuration + x.limits.MaxPause + sessionSpare,
	}
}

var errReleased = errtypes.New(errtypes.Unavailable, "the session has ended")

// watch breaks the run off when its browser dies, whatever it waits for.
func (x *activeRun) watch() {
	select {
	case <-x.ctx.Done():
	case <-x.session.Done():
		switch err := x.session.Err(); {
		case err != nil:
			x.cancel(&goneError{err})
		case x.unstored: // somebody has released it
			x.cancel(&goneError{errReleased})
		}
	}
}

func (x *activeRun) noteSession() error {
	return x.conf.DB.Write(context.WithoutCancel(x.ctx), func(ctx context.Context, tx *storage.Tx) error {
		x.executor.Changed(tx, x.ID)
		return setSession(ctx, tx, x.ID, x.session.ID(), x.now())
	})
}

// close ends the session and waits until it is gone.
func (x *activeRun) close() {
	if x.unstored {
		defer x.unregister(x)
	}
	x.cancel(context.Canceled)
	x.watchers.Wait()
	x.settle()
	if x.tools != nil {
		x.tools.Close()
	}
	if x.session == nil || x.options.KeepSession {
		return
	}
	if err := x.session.Close(); err != nil {
		x.conf.Logger.Warn("runs: a session does not close cleanly", "run", x.ID, "session", x.session.ID(), "error", x.clean(err.Error()))
	}
}

// clean takes the values of variables out of a text.
func (x *activeRun) clean(text string) string { return x.vault.Redact(text) }

// Limits of a cause, in characters.
const maxCauseMessage = 500

func (x *activeRun) withCleanEnding(e ending) ending { return x.cleanEnding(x.withPartial(e)) }

func (x *activeRun) cleanEnding(e ending) ending {
	if e.cause != nil {
		e.cause = &Cause{Code: e.cause.Code, Message: shorten.Characters(x.clean(e.cause.Message), maxCauseMessage)}
	}
	return e
}
