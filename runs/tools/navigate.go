package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/drover-go/drover/internal/weburl"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
)

// maxURL is more than servers take.
const maxURL = 8 << 10

func (s *Set) navigate() tool {
	return tool{
		Tool: model.Tool{
			Name:        "navigate",
			Description: "Opens an address in the browser and returns the page.",
			Input:       object(1, "url", property("string", "An http or https address.")),
		},
		acts: true,
		run:  s.runNavigate,
	}
}

func (s *Set) runNavigate(ctx context.Context, raw json.RawMessage) (Result, error) {
	in, err := decode[struct {
		URL string `json:"url"`
	}](raw)
	switch {
	case err != nil:
		return Result{}, err
	case strings.TrimSpace(in.URL) == "":
		return Result{}, badInput("url is required")
	case len(in.URL) > maxURL:
		return Result{}, badInput("url must be at most %d bytes", maxURL)
	}
	address, err := s.resolveURL(ctx, withScheme(strings.TrimSpace(in.URL)))
	if err != nil {
		return Result{}, err
	}
	s.noteOpened(address, in.URL)
	var begun []browser.Started
	r, err := s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		page, err := session.Navigate(ctx, address)
		begun = page.Downloads
		err = navigationError(err)
		return fmt.Sprintf("Opened %q.", s.field(in.URL)), page, err
	})
	if err == nil && !r.Output.IsError() && led(begun) {
		s.addDocument(ctx, &r)
	}
	return r, err
}

// resolveURL puts the values of variables into an address, if it is one that may
// have them.
func (s *Set) resolveURL(ctx context.Context, text string) (string, error) {
	if err := s.freshen(ctx, text); err != nil {
		return "", err
	}
	address, err := s.opts.Variables.ResolveURL(text, s.opts.Task)
	if err != nil {
		return "", err
	}
	address = withScheme(address)
	if !s.opts.Variables.Bound(text) {
		return address, nil
	}
	origin := "null"
	if u, err := weburl.Parse(address, nil); err == nil {
		origin = u.Scheme + "://" + u.HostPort()
	}
	return address, s.opts.Variables.Allows(text, origin)
}

// opened is an address that variables were put into, and what stands for it.
type opened struct {
	pattern *regexp.Regexp
	shown   string
}

func openedAddress(address, shown string) opened {
	return opened{regexp.MustCompile(regexp.QuoteMeta(address)), shown}
}

// openedHost is found in every case, and not within other words.
func openedHost(host, shown string) opened {
	pattern := `(?i)` + regexp.QuoteMeta(host)
	if host[0] != '[' {
		pattern = `(?i)\b` + regexp.QuoteMeta(host) + `\b`
	}
	return opened{regexp.MustCompile(pattern), shown}
}

// noteOpened keeps an address from showing values that are too short to be
// searched for.
func (s *Set) noteOpened(address, shown string) {
	if !s.opts.Variables.Uses(shown) {
		return
	}
	s.opened = append(s.opened, openedAddress(address, shown))
	if u, err := weburl.Parse(address, nil); err == nil && u.String() != address {
		s.opened = append(s.opened, openedAddress(u.String(), shown))
	}
	s.noteHost(address, shown)
}

// noteHost keeps a host that came from a variable from being shown by itself,
// as error pages do: lower-cased, in punycode, with a port.
func (s *Set) noteHost(address, shown string) {
	authority := authorityOf(shown)
	u, err := weburl.Parse(address, nil)
	if err != nil || u.Host == "" || !s.opts.Variables.Uses(authority) {
		return
	}
	port := cmp.Or(u.Port, map[string]string{"http": "80", "https": "443"}[u.Scheme])
	s.opened = append(s.opened, openedHost(u.Host+":"+port, authority), openedHost(u.Host, authority))
}

// authorityOf is the host and port of an address, and what of it may be both.
func authorityOf(address string) string {
	if _, rest, ok := strings.Cut(address, "://"); ok {
		address = rest
	}
	if end := strings.IndexAny(address, "/?#"); end >= 0 {
		address = address[:end]
	}
	return address[strings.LastIndexByte(address, '@')+1:]
}

var (
	hasScheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:($|[^0-9])`)
	isLocal   = regexp.MustCompile(`^(localhost|\d+\.\d+\.\d+\.\d+|\[[0-9A-Fa-f:.]+\])([:/?#]|$)`)
)

// withScheme reads "example.com/x" as people do. What has a scheme, or begins
// with a variable that may have one, stays.
func withScheme(address string) string {
	switch {
	case strings.HasPrefix(address, "%"), strings.HasPrefix(address, "//"):
		return address
	case isLocal.MatchString(address):
		return "http://" + address
	case hasScheme.MatchString(address) && !strings.Contains(strings.SplitN(address, ":", 2)[0], "."):
		return address
	}
	return "https://" + address
}
