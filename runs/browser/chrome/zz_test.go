package chrome_test

import (
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func TestZZ(t *testing.T) {
	srv := pages(t, questionSite())
	pp := chrometest.Provider(t, func(o *chrome.Options) { o.Logger = slog.New(slog.NewTextHandler(os.Stderr, nil)) })
	for _, ask := range []bool{true} {
		for range 25 {
			s := chrometest.Session(t, pp)
			if ask {
				defer s.AskDialogs()()
			}
			navigate(t, s, srv.URL+"/")
			b := time.Now()
			p, err := s.Click(t.Context(), ref(t, s, "Window"))
			t.Logf("ask %v: %v %q tabs %d dialog %v err %v", ask, time.Since(b), p.Title, len(p.Tabs), p.Dialog != nil, err)
			if ask {
				time.Sleep(time.Second)
				b = time.Now()
				p, err = s.Answer(t.Context(), browser.DialogAnswer{Accept: true})
				t.Logf("ask answered: %v %q tabs %d err %v", time.Since(b), p.Title, len(p.Tabs), err)
			}
			s.Close()
		}
	}
}
