package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/search"
)

// braveKey is the variable with the key of Brave's search.
const braveKey = "BRAVE_API_KEY"

// searchFlag is the flag of commands whose agents search the web.
type searchFlag struct {
	Search string `default:"browser" env:"DROVER_SEARCH" help:"How agents search the web: browser (on a search page in the browser of the run; browser:URL names another page), searxng:URL (a SearXNG with JSON among its formats), brave (with the key in BRAVE_API_KEY), or off. Default ${default}." placeholder:"HOW"`
}

func (f searchFlag) apply(o *drover.Options) (err error) {
	o.Search, err = openSearch(f.Search)
	return err
}

// openSearch returns what searches. It makes no connection. Error kind Invalid.
func openSearch(how string) (search.Searcher, error) {
	how = cmp.Or(how, "browser")
	kind, of, _ := strings.Cut(how, ":")
	switch {
	case kind == "browser":
		b := search.Browser{Address: of}
		return b, namedSearch(b.Validate())
	case kind == "searxng" && of != "":
		s, err := search.SearXNG{URL: of}.New()
		return s, namedSearch(err)
	case how == "brave" && strings.TrimSpace(os.Getenv(braveKey)) == "":
		return nil, errtypes.New(errtypes.Invalid, "%s must be set to a key for --search brave", braveKey)
	case how == "brave":
		s, err := search.Brave{Key: os.Getenv(braveKey)}.New()
		return s, namedSearch(err)
	case how == "off":
		return search.Off, nil
	}
	return nil, errtypes.Field("--search", "must be browser, browser:URL, searxng:URL, brave or off, not %q", how)
}

// namedSearch makes an error one about the flag.
func namedSearch(err error) error {
	if err == nil {
		return nil
	}
	return errtypes.Field("--search", "is no good: %s", errtypes.Public(err).Message)
}

// searchTime bounds the one question.
const searchTime = 30 * time.Second

// check asks a service once. A page in the browser is not asked: it would count the
// question, and what matters is whether the session works.
func (f searchFlag) check(ctx context.Context) finding {
	s, err := openSearch(f.Search)
	switch page, inBrowser := s.(search.Browser); {
	case err != nil:
		return finding{"search", false, indented(diagnose(err))}
	case s == search.Off:
		return finding{"search", true, "off: agents do not search the web"}
	case inBrowser:
		return finding{"search", true, "on the page of " + search.HostOf(page) + ", in the browser of the run; not tried"}
	}
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	start := time.Now()
	found, err := s.Search(ctx, search.Query{Text: "weather", Count: 5})
	if err != nil {
		return finding{"search", false, indented(diagnose(err))}
	}
	return finding{"search", true, fmt.Sprintf("%s finds %d results in %d ms", search.HostOf(s), len(found), time.Since(start).Milliseconds())}
}
