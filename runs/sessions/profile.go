package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage/contexts"
)

// Contexts keeps the profiles that outlive sessions.
type Contexts interface {
	// Get returns a context of the caller's project. Error kind NotFound.
	Get(ctx context.Context, id string) (contexts.Context, error)
	// Open begins to use a context. Error kinds: those of contexts.Service.
	Open(ctx context.Context, u contexts.Use) (*contexts.Lease, error)
}

// profiles is a provider of browsers that can work with stored profiles. One
// that is none has no sessions with contexts.
type profiles interface {
	browser.Provider
	// ProfileDir makes a directory for a profile of some need bytes, which whoever
	// starts next removes if this process dies.
	ProfileDir(need int64) (*workdir.Dir, error)
	// PruneProfile removes from a profile what it can do without.
	PruneProfile(dir string) error
}

// profile is the context of a session while that uses it.
type profile struct {
	profiles
	lease   *contexts.Lease
	persist bool
	dir     *workdir.Dir // nil until it is made
	left    bool         // nothing of it is in use any more
}

// profileSpare is what a profile may come to beside what was saved of it, in
// bytes: the caches of the session.
const profileSpare = 256 << 20

// path is where the browser keeps the profile.
func (p *profile) path() string { return filepath.Join(p.dir.Path(), "profile") }

// checkContext refuses a context that cannot be used here.
func (c Config) checkContext(ref *ContextRef) error {
	if ref == nil {
		return nil
	}
	if _, ok := c.Browser.(profiles); !ok || c.Contexts == nil {
		return errtypes.Field("browserSettings.context", "cannot be used: the browser of this host keeps no profiles")
	}
	return nil
}

// knowContext refuses a context that the project does not have.
func (s *service) knowContext(ctx context.Context, ref *ContextRef) error {
	if ref == nil {
		return nil
	}
	_, err := s.conf.Contexts.Get(ctx, ref.ID)
	return orUnknown(err, ref.ID)
}

func orUnknown(err error, id string) error {
	if errtypes.Is(err, errtypes.NotFound) {
		return errtypes.Field("browserSettings.context.id", "names no context: there is no %q", id)
	}
	return err
}

// openProfile begins to use the context of the session; nil for none. What it
// has begun when it fails, leaveProfile ends.
func (l *live) openProfile(ctx context.Context, ref *ContextRef) (*browser.Profile, error) {
	if ref == nil {
		return nil, nil
	}
	ctx = inProject(ctx, l.ProjectID)
	lease, err := l.conf.Contexts.Open(ctx, contexts.Use{ContextID: ref.ID, Holder: l.ID, Persist: ref.Persist})
	if err != nil {
		return nil, orUnknown(err, ref.ID)
	}
	l.profile = &profile{profiles: l.conf.Browser.(profiles), lease: lease, persist: ref.Persist}
	if err := l.restoreProfile(ctx); err != nil {
		return nil, err
	}
	return &browser.Profile{Dir: l.profile.path()}, nil
}

// restoreProfile makes the directory and brings back into it what was saved.
func (l *live) restoreProfile(ctx context.Context) (err error) {
	p := l.profile
	need, err := p.lease.Size(ctx)
	if err != nil {
		return err
	}
	if p.dir, err = p.ProfileDir(need + profileSpare); err != nil {
		return err
	}
	if err := os.Mkdir(p.path(), 0o700); err != nil {
		return errtypes.New(errtypes.Unavailable, "there is no place for the profile").WithCause(err)
	}
	got, err := p.lease.Restore(ctx, p.path())
	if err == nil && got.Fault != nil {
		l.tell("the context is older than it should be", got.Fault)
	}
	return err
}

// keepProfile saves the profile of a session that persists, where its browser
// has left it whole, and lets others have the context. Closed is how the browser
// left.
func (l *live) keepProfile(closed error) {
	if l.profile == nil || l.profile.left {
		return
	}
	if l.profile.persist {
		l.saveProfile(closed)
	}
	l.leaveProfile()
}

func (l *live) saveProfile(closed error) {
	p := l.profile
	err := errors.Join(closed, l.browser.Err())
	if err == nil {
		err = p.PruneProfile(p.path())
	}
	var saved contexts.Saved
	if err == nil {
		saved, err = p.lease.Save(context.Background(), p.path())
		if errtypes.Is(err, errtypes.NotFound) {
			l.tell("the context was not saved", errtypes.New(errtypes.NotFound, "it was deleted meanwhile").WithCause(err))
			return
		}
	}
	if err != nil {
		l.tell("the context was not saved, and is what it was before", err)
		return
	}
	l.log.note(l.now(), fmt.Sprintf("the context was saved: %d files, %d bytes", saved.Files, saved.Bytes))
}

// leaveProfile removes the directory and frees the context. Nobody uses it any
// more.
func (l *live) leaveProfile() {
	p := l.profile
	if p == nil || p.left {
		return
	}
	p.left = true
	if p.dir != nil {
		if err := p.dir.Remove(); err != nil {
			l.tell("the directory of the profile cannot be removed", err)
		}
	}
	if err := p.lease.Free(context.Background()); err != nil {
		l.tell("that the context is free cannot be written: processes beside this one do not know it", err)
	}
}

// tell writes that something about the context went wrong into both logs: the
// session's has no more of the cause than callers may see.
func (l *live) tell(what string, err error) {
	l.conf.Logger.Warn("sessions: "+what, "session", l.ID, "context", l.Settings.Context.ID, "error", err)
	why := "a fault of the service"
	if pub := errtypes.Public(err); pub.Kind != errtypes.Internal && pub.Kind != errtypes.Canceled {
		why = pub.Message
	}
	l.log.note(l.now(), what+": "+why)
}
