package sessions

import (
	"context"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/projects"
)

// Downloads keeps the files that sessions download.
type Downloads interface {
	// Store keeps a file for the project in the context.
	Store(ctx context.Context, n downloads.New) (downloads.Download, error)
}

// openBrowser opens the browser of a session. The settings are those with
// passwords.
func (l *live) openBrowser(ctx context.Context, s Settings) (browser.Session, error) {
	policy, err := l.conf.policy(s)
	if err != nil {
		return nil, err
	}
	if policy.TLS, err = l.conf.tlsMaterial(inProject(ctx, l.ProjectID), s); err != nil {
		return nil, err
	}
	stored, err := l.openProfile(ctx, s.Context)
	if err != nil {
		return nil, err
	}
	o := browser.Options{
		ID: l.ID, Project: l.ProjectID, Width: s.Viewport.Width, Height: s.Viewport.Height, Egress: policy,
		Verified: s.Verified, OwnProcess: s.OwnProcess, Profile: stored,
	}
	if l.log != nil || l.rec.on {
		o.Observe = l.observe
	}
	if l.conf.Downloads != nil {
		o.Downloads = l.keepDownload
	}
	return l.openWith(ctx, o)
}

// keepDownload stores a file for the project of the session.
func (l *live) keepDownload(ctx context.Context, d browser.Download) error {
	_, err := l.conf.Downloads.Store(inProject(ctx, l.ProjectID), downloads.New{SessionID: l.ID, Filename: d.Filename, MIMEType: d.MIMEType, Content: d.Content})
	return err
}

// inProject acts for a project.
func inProject(ctx context.Context, id string) context.Context {
	return projects.With(ctx, projects.Project{ID: id})
}

// traffic is what the session's proxy has carried.
func traffic(s browser.Session) int64 {
	sent, received := s.Traffic()
	return sent + received
}
