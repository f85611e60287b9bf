package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
)

type doctorCmd struct {
	store
	remoteBrowser
	chosenModels
	searchFlag
	programFlags
}

// finding is one thing that was looked at.
type finding struct {
	name string
	ok   bool
	text string // what was found, or what to do
}

// Run looks at what Drover needs and says what to do about what is missing. It
// changes nothing: a data directory that is not there is not made.
func (cmd doctorCmd) Run(ctx context.Context, c console) error {
	chromium := cmd.checkChromium(ctx)
	findings := append([]finding{
		{"drover", true, version() + " on " + runtime.GOOS + "/" + runtime.GOARCH},
		chromium,
		cmd.checkBrowser(ctx, chromium),
		cmd.checkData(ctx),
		cmd.searchFlag.check(ctx),
		checkNode(ctx, cmd.programFlags),
	}, cmd.chosenModels.check(ctx)...)
	bad := 0
	for _, f := range findings {
		printFinding(c.stdout, f)
		if !f.ok {
			bad++
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d checks failed", bad, len(findings))
	}
	return nil
}

// indent begins the further lines of a finding.
const indent = "                    "

func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n"+indent) }

func printFinding(w io.Writer, f finding) {
	mark := "ok     "
	if !f.ok {
		mark = "FAILED "
	}
	fmt.Fprintf(w, "%s  %-10s %s\n", mark, f.name, f.text)
}

func (cmd doctorCmd) checkChromium(ctx context.Context) finding {
	if cmd.BrowserURL != "" {
		return cmd.remoteBrowser.check(ctx)
	}
	path, version, err := chrome.Find()
	if err != nil {
		return finding{"chromium", false, indented(diagnose(err))}
	}
	return finding{"chromium", true, version + " at " + path}
}

// checkBrowser opens a page in a real session, the only proof that it works.
func (cmd doctorCmd) checkBrowser(ctx context.Context, chromium finding) finding {
	if !chromium.ok {
		return finding{"session", false, "needs a Chromium that starts, or answers"}
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	start := time.Now()
	if err := cmd.openSession(ctx); err != nil {
		return finding{"session", false, indented(diagnose(err))}
	}
	return finding{"session", true, fmt.Sprintf("opened and closed in %d ms", time.Since(start).Milliseconds())}
}

func (cmd doctorCmd) openSession(ctx context.Context) (err error) {
	provider, err := cmd.provider()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, provider.Close()) }()
	session, err := provider.Open(ctx, browser.Options{})
	if err != nil {
		return err
	}
	return session.Close()
}

// provider is of browsers that are quiet about themselves.
func (b remoteBrowser) provider() (*chrome.Provider, error) {
	gate, err := egress.New(egress.Options{})
	if err != nil {
		return nil, err
	}
	o := chrome.Options{Gate: gate, Logger: slog.New(slog.DiscardHandler)}
	b.apply(&o)
	return chrome.New(o)
}

func (cmd doctorCmd) checkData(ctx context.Context) finding {
	if cmd.Data == drover.InMemory {
		return finding{"data", true, "in memory: nothing is kept"}
	}
	if _, err := os.Stat(filepath.Join(cmd.Data, databaseFile)); errors.Is(err, os.ErrNotExist) {
		return checkNewData(cmd.Data)
	}
	d, err := openTool(ctx, cmd.Data, network{}, slog.New(slog.DiscardHandler))
	if err != nil {
		return finding{"data", false, indented(diagnose(err))}
	}
	defer d.Close()
	all, err := d.Projects.List(ctx)
	if err != nil {
		return finding{"data", false, indented(diagnose(err))}
	}
	if err := unreadKeys(ctx, d); err != nil {
		return finding{"data", false, indented(err.Error())}
	}
	return finding{"data", true, fmt.Sprintf("%s opens; projects: %d", cmd.Data, len(all))}
}

// unreadKeys tells how many keys no master key opens that is there. What can be
// sealed again was, at the opening.
func unreadKeys(ctx context.Context, d *drover.Drover) error {
	n := 0
	var first error
	for _, again := range []func(context.Context) (int, error){d.Contexts.Reseal, d.Certificates.Reseal, d.Secrets.Reseal} {
		_, err := again(ctx)
		unread, ok := errors.AsType[seal.Unread](err)
		if err != nil && !ok {
			return err
		}
		if n += len(unread); first == nil && ok {
			first = unread[0]
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%d keys of contexts, certificates and secrets cannot be opened with the master keys that are there; %s", n, errtypes.Public(first).Message)
}

// checkNewData tells whether a database can be made in dir. It tries that where
// it leaves nothing behind, with a file in the folder that is there already, and
// makes no folder.
func checkNewData(dir string) finding {
	there, err := nearestFolder(dir)
	if err == nil {
		err = tryFile(there)
	}
	if err != nil {
		return finding{"data", false, fmt.Sprintf("no database can be made in %s: %v", dir, err)}
	}
	return finding{"data", true, dir + " has no database yet; drover serve makes it"}
}

// nearestFolder returns dir, or the folder above it that is there.
func nearestFolder(dir string) (string, error) {
	dir = filepath.Clean(dir)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist) && filepath.Dir(dir) != dir:
		return nearestFolder(filepath.Dir(dir))
	case err != nil:
		return "", err
	case !info.IsDir():
		return "", fmt.Errorf("%s is not a directory", dir)
	}
	return dir, nil
}

// tryFile makes a file in dir and removes it.
func tryFile(dir string) error {
	f, err := os.CreateTemp(dir, ".drover-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
