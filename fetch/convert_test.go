package fetch

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/markdown"
)

// cutOff is a context that ends, with a cause, after it was asked so often.
type cutOff struct {
	context.Context
	cancel context.CancelCauseFunc
	cause  error
	left   atomic.Int64
}

func cutOffAfter(t *testing.T, asked int64, cause error) *cutOff {
	ctx, cancel := context.WithCancelCause(t.Context())
	t.Cleanup(func() { cancel(nil) })
	c := &cutOff{Context: ctx, cancel: cancel, cause: cause}
	c.left.Store(asked)
	return c
}

func (c *cutOff) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel(c.cause)
	}
	return c.Context.Err()
}

// converting is an answer whose page is to be converted.
func converting(ctx context.Context, limits markdown.Options) *answer {
	conf := Config{}.withDefaults()
	return &answer{one: &one{ctx: ctx, turns: make(chan struct{}, 1), markdown: limits, conf: &conf}}
}

// TestConversionsEndWithTheirFetch ends fetches while they convert a page that
// takes long: with the cause as the error, and the turn free for others.
func TestConversionsEndWithTheirFetch(t *testing.T) {
	page := strings.Repeat("<ul><li>", 20) + strings.Repeat("word<br>", 20_000)
	for name, test := range map[string]struct {
		cause error
		kind  errtypes.Kind
	}{
		"time-out": {errTimedOut, errtypes.GatewayTimeout},
		"shutdown": {errClosing, errtypes.Unavailable},
		"caller":   {context.Canceled, errtypes.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			for _, asked := range []int64{1, 20, 60} {
				ctx := cutOffAfter(t, asked, test.cause)
				a := converting(ctx, markdown.Options{})
				err := a.convert(&Answer{}, Options{}, page, mediaKind{media: "text/html", isHTML: true, charset: "utf-8"})
				if err = explain(ctx, err); !errors.Is(err, test.cause) || errtypes.Public(err).Kind != test.kind {
					t.Errorf("after %d: %v", asked, err)
				}
				if len(a.one.turns) != 0 {
					t.Error("the turn is still taken")
				}
			}
		})
	}
}

// A slash closes an element in XHTML, and nothing in HTML.
func TestXHTMLIsReadAsSuch(t *testing.T) {
	page := `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title><script src="a.js"/></head><body><h1>Lamp</h1><p>Price: $3.00</p></body></html>`
	for kind, want := range map[string]string{"application/xhtml+xml": "# Lamp\n\nPrice: $3.00", "text/html": ""} {
		a, got := converting(t.Context(), markdown.Options{}), &Answer{}
		if err := a.convert(got, Options{}, page, mediaKind{media: kind, isHTML: true, charset: "utf-8"}); err != nil || got.Content != want {
			t.Errorf("%s: %q, %v", kind, got.Content, err)
		}
	}
}

func TestAWaitForATurnEndsWithTheFetch(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errTimedOut)
	a := converting(ctx, markdown.Options{})
	a.one.turns <- struct{}{} // somebody else's
	if err := a.convert(&Answer{}, Options{}, "<p>a", mediaKind{isHTML: true}); !errors.Is(err, errTimedOut) {
		t.Error(err)
	}
	if len(a.one.turns) != 1 {
		t.Error("somebody else's turn is gone")
	}
}

func TestPagesThatTakeTooMuchToConvert(t *testing.T) {
	for name, limits := range map[string]markdown.Options{
		"work":   {MaxWork: 1000},
		"nodes":  {MaxNodes: 1000},
		"output": {MaxOutput: 1000},
	} {
		a := converting(t.Context(), limits)
		err := a.convert(&Answer{}, Options{}, strings.Repeat("<p>word</p>", 1000), mediaKind{media: "text/html", isHTML: true})
		if !errtypes.Is(explain(t.Context(), err), errtypes.BadGateway) {
			t.Errorf("%s: %v", name, err)
		}
		if len(a.one.turns) != 0 {
			t.Errorf("%s: the turn is still taken", name)
		}
	}
}
