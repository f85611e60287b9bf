package main

import (
	"context"
	"errors"
	"time"

	"github.com/drover-go/drover/runs/browser/chrome"
)

// remoteBrowser is the flag of every command that opens browser sessions.
type remoteBrowser struct {
	BrowserURL string `name:"browser-url" env:"DROVER_BROWSER_URL" help:"DevTools address of a browser that runs already, to use instead of starting one: [ws|wss|http|https]://host:port. It may hold secrets: they are safer in the variable." placeholder:"URL"`
}

func (b remoteBrowser) apply(o *chrome.Options) { o.RemoteURL = b.BrowserURL }

// check tells whether the remote browser answers, and what it is.
func (b remoteBrowser) check(ctx context.Context) finding {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	provider, err := b.provider()
	if err != nil {
		return finding{"chromium", false, indented(diagnose(err))}
	}
	about, err := provider.Remote(ctx)
	if err = errors.Join(err, provider.Close()); err != nil {
		return finding{"chromium", false, indented(diagnose(err))}
	}
	return finding{"chromium", true, indented(about)}
}
