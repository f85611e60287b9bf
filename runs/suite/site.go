package suite

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed task.js
var taskScript []byte

// hosts are where pages are served, each of another site for a browser: loopback
// addresses that nothing else is expected to listen on, where the system has such.
func hosts() []string {
	if runtime.GOOS == "linux" {
		return []string{"127.83.7.1", "127.83.7.2", "127.83.7.3"}
	}
	return []string{"127.0.0.1", "localhost", "three.localhost"}
}

// Prefixes are the networks that pages of suites are served on: what a Drover has
// to allow (drover.Options.AllowPrefixes) that runs tasks. Nothing else of
// this machine is expected there.
func Prefixes() []netip.Prefix {
	if runtime.GOOS == "linux" {
		return []netip.Prefix{netip.MustParsePrefix("127.83.7.0/24")}
	}
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
}

// PageReport is what a page has said of its task.
type PageReport struct {
	OK   bool   `json:"ok"`
	Note string `json:"note,omitempty"`
}

// site serves the suite for one attempt.
type site struct {
	suite *Suite
	task  Task
	// origins are its addresses, without a slash at the end.
	origins []string
	token   string
	servers []*http.Server
	ended   sync.WaitGroup
	// over ends with the attempt.
	over context.Context
	end  context.CancelFunc

	// decided ends with the first report, which is there from then on.
	decided context.Context
	decide  context.CancelFunc
	once    sync.Once
	report  PageReport
	texted  sync.Once
	text    chan string // the task as the page says it
}

func openSite(s *Suite, t Task) (*site, error) {
	a := &site{suite: s, task: t, token: rand.Text(), text: make(chan string, 1)}
	a.decided, a.decide = context.WithCancel(context.Background())
	a.over, a.end = context.WithCancel(context.Background())
	for _, host := range hosts() {
		if err := a.listen(host); err != nil {
			return nil, errors.Join(err, a.close())
		}
	}
	return a, nil
}

func (a *site) listen(host string) error {
	address := host
	if strings.HasSuffix(host, "localhost") {
		address = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	a.origins = append(a.origins, "http://"+net.JoinHostPort(host, port))
	server := &http.Server{Handler: a, ReadHeaderTimeout: 10 * time.Second}
	a.servers = append(a.servers, server)
	a.ended.Go(func() { _ = server.Serve(l) }) // ends with close
	return nil
}

func (a *site) close() (err error) {
	a.end()
	for _, s := range a.servers {
		err = errors.Join(err, s.Close())
	}
	a.ended.Wait()
	return err
}

// url is where the task begins.
func (a *site) url() string { return a.origins[0] + "/" + a.task.Page }

// ServeHTTP serves the files of the suite, and what begins with /suite/.
func (a *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if what, ok := strings.CutPrefix(r.URL.Path, "/suite/"); ok {
		a.serveOwn(w, r, what)
		return
	}
	a.serveFile(w, r, strings.TrimPrefix(r.URL.Path, "/"))
}

func (a *site) serveOwn(w http.ResponseWriter, r *http.Request, what string) {
	switch what {
	case "task.js":
		a.serveScript(w, r)
	case "report":
		a.take(w, r, func(m message) { a.done(PageReport{m.OK, m.Note}) })
	case "text":
		a.take(w, r, func(m message) { a.texted.Do(func() { a.text <- m.Text }) })
	default:
		a.help(w, r, what)
	}
}

// serveScript gives the script to pages only: who opens its address would see the
// token.
func (a *site) serveScript(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Sec-Fetch-Dest") != "script" {
		http.Error(w, "This is for the pages of the suite.", http.StatusForbidden)
		return
	}
	given := struct {
		Token   string   `json:"token"`
		Origins []string `json:"origins"`
		Select  string   `json:"select"`
	}{a.token, a.origins, ""}
	if ad := a.suite.Adapter; ad != nil && a.task.Task == "" {
		given.Select = ad.Text
	}
	raw, err := json.Marshal(given)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Write(bytes.Replace(taskScript, []byte("{{given}}"), raw, 1))
}

// message is what a page posts.
type message struct {
	Token string `json:"token"`
	PageReport
	Text string `json:"text"`
}

// take reads a message of the script. An agent that opens the address, or a form
// that is sent there, says nothing.
func (a *site) take(w http.ResponseWriter, r *http.Request, use func(message)) {
	var m message
	err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&m)
	if r.Method != http.MethodPost || err != nil || m.Token != a.token || !slices.Contains(a.origins, r.Header.Get("Origin")) || r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		http.Error(w, "This is for the pages of the suite.", http.StatusForbidden)
		return
	}
	use(m)
	w.WriteHeader(http.StatusNoContent)
}

// done keeps the first report.
func (a *site) done(r PageReport) {
	a.once.Do(func() {
		a.report = r
		a.decide()
	})
}

// outcome is what has been reported; nil for nothing yet.
func (a *site) outcome() *PageReport {
	if a.decided.Err() == nil {
		return nil
	}
	return &a.report
}

func (a *site) serveFile(w http.ResponseWriter, r *http.Request, name string) {
	raw, err := fs.ReadFile(a.suite.files, name)
	if err != nil || a.suite.hidden[name] || name != path.Clean(name) {
		http.NotFound(w, r)
		return
	}
	if path.Ext(name) == ".html" {
		raw = a.page(name, raw)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(raw))
}

// page puts the addresses of the attempt into a page, and the adapter's scripts.
func (a *site) page(name string, raw []byte) []byte {
	for i, origin := range a.origins {
		raw = bytes.ReplaceAll(raw, fmt.Appendf(nil, "{{origin%d}}", i+1), []byte(origin))
	}
	if !a.suite.Adapter.adapts(name) {
		return raw
	}
	scripts := `<script src="/suite/task.js"></script>`
	if script := a.suite.Adapter.Script; script != "" {
		scripts += `<script src="/` + script + `"></script>`
	}
	at := 0
	for _, tag := range []string{"<head>", "<html>", "<!doctype html>"} {
		if i := bytes.Index(bytes.ToLower(raw), []byte(tag)); i >= 0 {
			at = i + len(tag)
			break
		}
	}
	return slices.Concat(raw[:at], []byte(scripts), raw[at:])
}

// textTime is how long a page may take to say what its task is.
const textTime = 20 * time.Second

// waitText is what a model is told of a task that stands on its page.
func (a *site) waitText(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, textTime)
	defer cancel()
	select {
	case text := <-a.text:
		return fmt.Sprintf("The page %s is open. Do this there:\n\n%s", a.url(), text), nil
	case <-ctx.Done():
		return "", errors.New("the page has not said what the task is")
	}
}
