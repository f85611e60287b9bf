package tools

import (
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
		run: s.runNavigate,
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
	address, err := s.opts.Variables.ResolveURL(withScheme(strings.TrimSpace(in.URL)), s.opts.Task)
	if err != nil {
		return Result{}, err
	}
	address = withScheme(address)
	s.noteOpened(address, in.URL)
	return s.act(ctx, func(session browser.Session) (string, browser.Page, error) {
		page, err := session.Navigate(ctx, address)
		return fmt.Sprintf("Opened %q.", s.field(in.URL)), page, err
	})
}

// opened is an address that variables were put into, and what stands for it.
type opened struct{ address, shown string }

// noteOpened keeps an address from showing values that are too short to be
// searched for.
func (s *Set) noteOpened(address, shown string) {
	if !s.opts.Variables.Uses(shown) {
		return
	}
	s.opened = append(s.opened, opened{address, shown})
	if u, err := weburl.Parse(address, nil); err == nil && u.String() != address {
		s.opened = append(s.opened, opened{u.String(), shown})
	}
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
