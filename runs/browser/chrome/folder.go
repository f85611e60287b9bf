package chrome

import (
	"os"
	"path/filepath"
)

// folder returns a directory for files of the session, made on the first call,
// that lasts as long as the session: longer than its browser, whose files may
// be wanted when it has died.
func (s *session) folder(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == "" {
		dir, err := s.p.sessionDir()
		if err != nil {
			return "", err
		}
		s.dir = dir
	}
	dir := filepath.Join(s.dir, name)
	if err := makeDir(dir); err != nil {
		return "", err
	}
	return dir, nil
}

// makeDir makes a directory that nobody else can read, unless it is there.
func makeDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return err
	}
	return nil
}

// sessionDir makes a directory beside those of browsers.
func (p *Provider) sessionDir() (string, error) {
	dir, err := p.opts.Children.Dir()
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, "session-")
}

// removeFolder removes what the session has written.
func (s *session) removeFolder() {
	s.mu.Lock()
	dir := s.dir
	s.mu.Unlock()
	if dir == "" {
		return
	}
	err := os.RemoveAll(dir)
	if err != nil { // the browser was still at it
		err = os.RemoveAll(dir)
	}
	if err != nil {
		s.p.opts.Logger.Warn("chrome: a session's files cannot be removed", "session", s.ID(), "error", err)
	}
}
