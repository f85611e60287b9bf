package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/errtypes"
)

// ask calls the job platform, sends a body of JSON, if any, and decodes what the answer
// has as its data.
func (a *apiClient) ask(ctx context.Context, method, path string, body, answer any) error {
	var raw []byte
	if body != nil {
		var err error
		if raw, err = json.Marshal(body); err != nil {
			return err
		}
	}
	return a.post(ctx, method, path, "application/json", raw, answer)
}

// post is ask for a body of any kind.
func (a *apiClient) post(ctx context.Context, method, path, kind string, body []byte, answer any) error {
	resp, err := a.patiently(ctx, method, path, kind, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if answer == nil {
		return decodeAnswer(resp, nil)
	}
	return decodeAnswer(resp, &struct{ Data any }{answer})
}

// open asks for content, to read and close.
func (a *apiClient) open(ctx context.Context, path string) (*http.Response, error) {
	resp, err := a.patiently(ctx, "GET", path, "", nil)
	if err != nil {
		return nil, err
	}
	if err := refusal(resp); err != nil {
		return nil, errors.Join(err, resp.Body.Close())
	}
	return resp, nil
}

// A request that is one too many of its second is sent again, this often at the most.
const (
	maxTooMany   = 60
	afterTooMany = 250 * time.Millisecond
)

// patiently sends a request until the service has room for it. What it refused so it
// has not done.
func (a *apiClient) patiently(ctx context.Context, method, path, kind string, body []byte) (*http.Response, error) {
	for try := 1; ; try++ {
		var payload io.Reader
		if body != nil {
			payload = bytes.NewReader(body)
		}
		resp, err := a.exchange(ctx, method, path, kind, payload)
		if err != nil || resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("X-RateLimit-Limit") == "" || try == maxTooMany {
			return resp, err
		}
		resp.Body.Close()
		select {
		case <-time.After(afterTooMany):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// listed is a page of a list of the job platform.
type listed[T any] struct {
	Total int
	Items []T
}

// pages calls a function with each page of a list, up to a number of items; 0 is all.
func pages[T any](ctx context.Context, a *apiClient, path string, query url.Values, most int, do func([]T) error) error {
	const largest = 1000
	for got := 0; most == 0 || got < most; {
		size := largest
		if most > 0 {
			size = min(size, most-got)
		}
		query.Set("offset", strconv.Itoa(got))
		query.Set("limit", strconv.Itoa(size))
		var page listed[T]
		if err := a.ask(ctx, "GET", path+"?"+query.Encode(), nil, &page); err != nil {
			return err
		}
		if err := do(page.Items); err != nil {
			return err
		}
		if got += len(page.Items); len(page.Items) == 0 || got >= page.Total {
			return nil
		}
	}
	return nil
}

// references are what a thing may be called in a path: an id or a name, ~name or
// user/name.
func references(ref string) []string {
	switch {
	case strings.Contains(ref, "/"):
		return []string{url.PathEscape(strings.Replace(ref, "/", "~", 1))}
	case strings.Contains(ref, "~"):
		return []string{url.PathEscape(ref)}
	}
	return []string{url.PathEscape(ref), url.PathEscape("~" + ref)}
}

// find reads what a path has under an id or a name, and reports whether it is there.
func (a *apiClient) find(ctx context.Context, path, ref string, answer any) (bool, error) {
	for _, at := range references(ref) {
		err := a.ask(ctx, "GET", path+"/"+at, nil, answer)
		if err == nil || !isMissing(err) {
			return err == nil, err
		}
	}
	return false, nil
}

// isMissing reports whether the service said that a thing is not there.
func isMissing(err error) bool {
	refused, ok := errors.AsType[*answerError](err)
	return ok && refused.status == http.StatusNotFound
}

// missing is the error for a thing that is not there, and where to look.
func missing(what, ref, command string) error {
	return errtypes.New(errtypes.NotFound, "there is no %s %q; %q names those that there are", what, ref, command)
}

// bytesText is a size for people.
func bytesText(n int64) string {
	const unit = 1000
	if n < unit {
		return fmt.Sprintf("%d B", n)
	}
	size, names := float64(n)/unit, "kMGT"
	for size >= unit && len(names) > 1 {
		size, names = size/unit, names[1:]
	}
	return fmt.Sprintf("%.1f %cB", size, names[0])
}

// hinted adds to what the service refuses what can be done about it.
func hinted(err error) error {
	refused, ok := errors.AsType[*answerError](err)
	switch {
	case !ok:
		return err
	case refused.kind == "unknown-build-tag":
		return fmt.Errorf(`%w "drover actors push" builds one`, err)
	case refused.status == http.StatusServiceUnavailable && strings.Contains(refused.text, "Node.js"):
		return fmt.Errorf("%w; install Node.js 20 or later, with npm, where the service runs", err)
	}
	return err
}
