package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// launch starts the program. From here on, watch sees to its end.
func (p *Process) launch(ctx context.Context, execPath, denyAddr string) error {
	if runtime.GOOS == "windows" { // handing a pipe over takes inherited handles there, which nobody has written and tested yet
		return errors.New("no browser can be started on Windows yet")
	}
	path, err := filepath.Abs(execPath)
	if err != nil {
		return err
	}
	version, err := p.opts.Kind.versionNeeded(ctx, p.opts.Children, path)
	if err != nil {
		return err
	}
	ours, theirs, err := mux.OpenPipe()
	if err != nil {
		return err
	}
	p.wire = mux.NewWire(ours)
	p.child, err = p.opts.Children.Start(child.Spec{
		Path: path, Files: theirs,
		Prepare: func(dir string, s *child.Spec) error { return p.prepare(dir, denyAddr, version, s) },
		// The end of the pipe is Chromium's sign to leave.
		Ask: func() { ours.Close() }, Grace: p.opts.Timeouts.Close,
		Measured: p.measured,
	})
	if err != nil {
		return errors.Join(err, ours.Close())
	}
	p.opts.Metrics.started()
	p.exited = p.child.Exited()
	go p.watch()
	return nil
}

// prepare makes what a browser is started with in its own directory.
func (p *Process) prepare(dir, denyAddr, version string, s *child.Spec) error {
	profile, home, tmp := filepath.Join(dir, "profile"), filepath.Join(dir, "home"), filepath.Join(dir, "tmp")
	for _, d := range []string{home, tmp} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return err
		}
	}
	if err := p.opts.placeProfile(profile); err != nil {
		return err
	}
	if err := writePreferences(profile, p.opts.Preferences, p.opts.guardPreferences(denyAddr)); err != nil {
		return err
	}
	noSandbox := os.Geteuid() == 0
	if noSandbox {
		warnRoot.Do(func() {
			p.log.Warn("chrome: running as root, so Chromium runs without its sandbox; run as another user to keep it")
		})
	}
	s.Args, s.Env = p.opts.arguments(profile, denyAddr, version, noSandbox), environment(home, tmp)
	return nil
}

// warnRoot says once in a process what Chromium insists on for root.
var warnRoot sync.Once

// placeProfile makes the directory of a profile. A stored one lies elsewhere, and
// is known by a link: so all processes of a browser name the browser's own
// directory on their command lines, by which those that a dead host has left are
// found.
func (o Options) placeProfile(path string) error {
	if o.Profile != "" {
		return os.Symlink(o.Profile, path)
	}
	return os.Mkdir(path, 0o700)
}

// measured counts the memory that all processes of the browser take. It is for its
// tabs, too, which have grants within that of the process.
func (p *Process) measured(u child.Usage) {
	if !p.opts.Unmeasured {
		p.grant.Measured(u.Memory)
	}
}
