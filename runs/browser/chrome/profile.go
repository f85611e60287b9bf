package chrome

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser"
)

// profilePrefix is how directories of ProfileDir are called.
const profilePrefix = "drover-profile-"

// ProfileDir makes a directory for a stored profile of some need bytes: in
// memory where there is room, else in TempDir. Only this process's user can
// read it. Who asked for it removes it; when its process dies before, the next
// provider with the same TempDir does. Error kind: Unavailable.
func (p *Provider) ProfileDir(need int64) (_ *workdir.Dir, err error) {
	defer errtypes.Wrap(&err, "chrome.ProfileDir")
	dir, err := workdir.NewFor(p.opts.TempDir, profilePrefix, need)
	if err != nil {
		return nil, errtypes.New(errtypes.Unavailable, "no directory can be made for the profile").WithCause(err)
	}
	return dir, nil
}

// sweepProfiles removes the directories of ProfileDir that have lost their owner.
// The browsers that used them are ended with the owner's other children.
func sweepProfiles(temp string, log *slog.Logger) {
	for _, place := range workdir.Places(temp) {
		workdir.Sweep(place, profilePrefix, log, nil)
	}
}

// claimProfile returns the directory of a profile that no other session uses;
// empty for none.
func (p *Provider) claimProfile(o *browser.Profile) (string, error) {
	if o == nil {
		return "", nil
	}
	info, err := os.Stat(o.Dir)
	if o.Dir == "" || !filepath.IsAbs(o.Dir) || err != nil || !info.IsDir() {
		return "", errtypes.Field("profile", "must name a directory that is there, by its absolute path").WithCause(err)
	}
	dir, err := filepath.EvalSymlinks(o.Dir)
	if err != nil {
		return "", errtypes.Field("profile", "cannot be resolved").WithCause(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stored[dir] {
		return "", errtypes.New(errtypes.Conflict, "an open session uses this profile")
	}
	p.stored[dir] = true
	return dir, nil
}

func (p *Provider) releaseProfile(dir string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.stored, dir)
}

// tidyProfile removes from a profile what would keep a browser from using it,
// and the list of tabs that were open, which it would open again. Cookies of the
// browser's session are elsewhere.
func tidyProfile(dir string) error {
	if dir == "" {
		return nil
	}
	var errs []error
	for _, name := range []string{
		"SingletonLock", "SingletonCookie", "SingletonSocket", "DevToolsActivePort",
		"Default/Sessions", "Default/Sessions_Encrypted",
	} {
		errs = append(errs, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))))
	}
	return errors.Join(errs...)
}
