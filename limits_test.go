package drover_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
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
		"Options.Secrets.MaxTotal":           func(o *drover.Options) { o.Secrets.MaxTotal = -1 },
		"Options.Records.MaxPush":            func(o *drover.Options) { o.Records.MaxPush = -1 },
		"Options.ActorLimits.PerProject":     func(o *drover.Options) { o.ActorLimits.PerProject = -1 },
		"Options.CloseTime":                  func(o *drover.Options) { o.CloseTime = -1 },
		"Options.ProxyRest":                  func(o *drover.Options) { o.ProxyRest = -1 },
		"Options.ProxyAttempts":              func(o *drover.Options) { o.ProxyAttempts = -1 },
		"Options.ProxyResolveTimeout":        func(o *drover.Options) { o.ProxyResolveTimeout = -1 },
		"": func(o *drover.Options) {
			o.Runs.ModelRetries, o.RunRetention, o.InvocationRetention, o.DownloadRetention, o.RecordRetention, o.ActorRunRetention, o.Chromium.Timeouts.Idle = -1, -1, -1, -1, -1, -1, -1
			o.Contexts.MaxTotal, o.Chromium.Limits.ProfileBytes = -1, -1
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

// belowZero are the options in which a number below 0 has a meaning; each says
// which.
var belowZero = []string{
	"Options.Runs.ModelRetries", "Options.RunRetention", "Options.InvocationRetention", "Options.BuildRetention", "Options.SessionRetention", "Options.DownloadRetention", "Options.RecordRetention", "Options.ActorRunRetention", "Options.SlotRetention", "Options.WebhookRetention",
	"Options.Chromium.Spares", "Options.Chromium.Timeouts.Idle", "Options.Chromium.Timeouts.Queue",
	"Options.Chromium.Timeouts.Hung", "Options.Chromium.Limits.ProfileBytes", "Options.Contexts.MaxTotal",
	"Options.Workers", // no limit
}

// TestNoLimitIsForgotten puts -1 into every number of the options, in its turn.
func TestNoLimitIsForgotten(t *testing.T) {
	t.Parallel()
	o := drover.Options{Data: drover.InMemory}
	n := eachNumber("Options", reflect.ValueOf(&o).Elem(), func(name string, number reflect.Value) {
		number.SetInt(-1)
		defer number.SetInt(0)
		if slices.Contains(belowZero, name) {
			return
		}
		d, err := drover.Open(t.Context(), o)
		if err == nil {
			d.Close()
		}
		if pub := errtypes.Public(err); err == nil || pub.Kind != errtypes.Invalid || pub.Field != name || pub.Message != name+" must not be below 0; it is "+fmt.Sprint(number) {
			t.Errorf("%s: %v", name, err)
		}
	})
	if n < 120 {
		t.Errorf("only %d numbers are found", n)
	}
}

func eachNumber(name string, v reflect.Value, f func(name string, number reflect.Value)) (n int) {
	if v.CanInt() {
		f(name, v)
		return 1
	}
	if v.Kind() != reflect.Struct {
		return 0
	}
	for field, value := range v.Fields() {
		if field.IsExported() {
			n += eachNumber(name+"."+field.Name, value, f)
		}
	}
	return n
}
