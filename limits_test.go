package drover_test

import (
	"errors"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
)

func TestLimitsBelowZeroAreRefusedByName(t *testing.T) {
	t.Parallel()
	for want, set := range map[string]func(*drover.Options){
		"Options.Runs.Concurrent":            func(o *drover.Options) { o.Runs.Concurrent = -1 },
		"Options.Runs.MaxDuration":           func(o *drover.Options) { o.Runs.MaxDuration = -time.Second },
		"Options.Fetch.MaxBody":              func(o *drover.Options) { o.Fetch.MaxBody = -1 },
		"Options.Fetch.Markdown.MaxNodes":    func(o *drover.Options) { o.Fetch.Markdown.MaxNodes = -5 },
		"Options.Agents.MaxSystemPrompt":     func(o *drover.Options) { o.Agents.MaxSystemPrompt = -1 },
		"Options.Chromium.MaxSessions":       func(o *drover.Options) { o.Chromium.MaxSessions = -1 },
		"Options.Chromium.Timeouts.Navigate": func(o *drover.Options) { o.Chromium.Timeouts.Navigate = -1 },
		"Options.Downloads.MaxFile":          func(o *drover.Options) { o.Downloads.MaxFile = -1 },
		"Options.CloseTime":                  func(o *drover.Options) { o.CloseTime = -1 },
		"Options.ProxyRest":                  func(o *drover.Options) { o.ProxyRest = -1 },
		"Options.ProxyAttempts":              func(o *drover.Options) { o.ProxyAttempts = -1 },
		"Options.ProxyResolveTimeout":        func(o *drover.Options) { o.ProxyResolveTimeout = -1 },
		"": func(o *drover.Options) {
			o.Runs.ModelRetries, o.RunRetention, o.DownloadRetention, o.Chromium.Timeouts.Idle = -1, -1, -1, -1
			o.Contexts.MaxTotal = -1
		},
	} {
		o := drover.Options{Data: drover.InMemory}
		set(&o)
		d, err := drover.Open(t.Context(), o)
		if d != nil {
			defer d.Close()
		}
		var e *errtypes.Error
		if want == "" && err != nil || want != "" && (!errtypes.Is(err, errtypes.Invalid) || !errors.As(err, &e) || e.Field != want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
