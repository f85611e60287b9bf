package sessions

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage/extensions"
)

// extensionField is what the wire calls Settings.ExtensionID.
const extensionField = "browserSettings.extensionId"

// Extensions are what sessions can load.
type Extensions interface {
	// Get returns an extension of the project in the context. Error kind
	// NotFound.
	Get(ctx context.Context, id string) (extensions.Extension, error)
	// Unpack writes its files into a directory that is there and empty.
	Unpack(ctx context.Context, id, dir string) error
	// Debugs reports whether it asks for the permission "debugger".
	Debugs(ctx context.Context, id string) (bool, error)
}

// profileDirs is a provider of browsers that has places for files which its
// browsers use: private ones, that do not outlive this process for long.
type profileDirs interface {
	ProfileDir(need int64) (*workdir.Dir, error)
}

// knowExtension refuses an extension that the project in the context does not have.
// Error kind Invalid.
func (s *service) knowExtension(ctx context.Context, id string) error {
	if id == "" {
		return nil
	}
	_, err := s.conf.Extensions.Get(ctx, id)
	return aboutExtension(err, id)
}

// aboutExtension makes what is wrong with the extension an error of the field
// that names it.
func aboutExtension(err error, id string) error {
	var e *errtypes.Error
	var refused *browser.ExtensionRefused
	switch {
	case !errors.As(err, &e):
		return err
	case e.Kind == errtypes.NotFound:
		return errtypes.Field(extensionField, "names no extension: there is no %.100q", id)
	case errors.As(err, &refused):
		return errtypes.Field(extensionField, "names an extension that the browser does not load: %s", refused.Reason).WithCause(err)
	case e.Kind == errtypes.Invalid && e.Field == "file": // of an upload that the host lets in no more
		return errtypes.Field(extensionField, "names an extension that %s", strings.TrimPrefix(e.Message, "file ")).WithCause(err)
	case e.Kind == errtypes.Invalid && e.Field == "extensions":
		return errtypes.Field(extensionField, "names an extension that the browser does not load").WithCause(err)
	case e.Kind == errtypes.Invalid && e.Field == "extensionId":
		return errtypes.Field(extensionField, "cannot be honoured by the browser that this instance uses").WithCause(err)
	}
	return err
}

// unpackExtension writes the session's extension, if it names one, where its
// browser finds it. removeExtension removes it.
func (l *live) unpackExtension(ctx context.Context) (dirs []string, err error) {
	id := l.row.Settings.ExtensionID
	if id == "" {
		return nil, nil
	}
	places, ok := l.conf.Browser.(profileDirs)
	if !ok {
		return nil, errtypes.Field(extensionField, "cannot be honoured by the browsers of this host")
	}
	ctx = inProject(ctx, l.ProjectID)
	e, err := l.conf.Extensions.Get(ctx, id)
	if err != nil {
		return nil, aboutExtension(err, id)
	}
	if l.unpacked, err = places.ProfileDir(e.Unpacked); err != nil {
		return nil, err
	}
	dir := filepath.Join(l.unpacked.Path(), "extension") // beside the lock
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "no directory can be made for the extension").WithCause(err)
	}
	return []string{dir}, aboutExtension(l.conf.Extensions.Unpack(ctx, id, dir), id)
}

// lead lets the session's extension in from inside, if it is one that debugs:
// what answers there stands in the way of the real site at that address.
func (l *live) lead(ctx context.Context, o *browser.Options) error {
	id := l.row.Settings.ExtensionID
	if id == "" {
		return nil
	}
	debugs, err := l.conf.Extensions.Debugs(inProject(ctx, l.ProjectID), id)
	if debugs {
		o.Egress.Inside = l.inside
	}
	return aboutExtension(err, id)
}

// openWith opens the browser with its extension.
func (l *live) openWith(ctx context.Context, o browser.Options) (_ browser.Session, err error) {
	if o.Extensions, err = l.unpackExtension(ctx); err != nil {
		return nil, err
	}
	if err := l.lead(ctx, &o); err != nil {
		return nil, err
	}
	s, err := l.conf.Browser.Open(ctx, o)
	if err == nil {
		return s, nil
	}
	if len(o.Extensions) == 0 {
		return nil, l.Settings.named(err)
	}
	id := l.row.Settings.ExtensionID
	if refused, ok := errors.AsType[*browser.ExtensionRefused](err); ok {
		l.conf.Logger.Warn("sessions: the browser does not load an extension", "session", l.ID, "extension", id, "reason", refused.Reason)
	}
	return nil, l.Settings.named(aboutExtension(err, id))
}

// removeExtension removes the files of the extension, which no browser uses any
// more. What stays, the next start removes.
func (l *live) removeExtension() {
	if l.unpacked == nil {
		return
	}
	if err := l.unpacked.Remove(); err != nil {
		l.conf.Logger.Warn("sessions: the files of an extension cannot be removed", "session", l.ID, "error", err)
	}
	l.unpacked = nil
}
