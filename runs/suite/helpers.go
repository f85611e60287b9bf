package suite

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// maxSlow bounds how long a page may have an answer held back.
const maxSlow = 10 * time.Second

// help serves what a page cannot do with files alone:
//
//	/suite/slow/{milliseconds}/{file}    the file, later
//	/suite/redirect/{times}/{file}       to the file, by so many redirects
//	/suite/attachment/{file}             the file as a download
//	/suite/events/{file}                 its lines as events of the server, one after the other
//	/suite/echo                          a socket that says what it is told
//	/suite/status/{code}/{file}          the file with that status
func (a *site) help(w http.ResponseWriter, r *http.Request, what string) {
	kind, rest, _ := strings.Cut(what, "/")
	switch kind {
	case "slow":
		ms, file := numbered(rest)
		a.pause(r, min(time.Duration(ms)*time.Millisecond, maxSlow))
		a.serveFile(w, r, file)
	case "redirect":
		n, file := numbered(rest)
		to := "/" + file
		if n > 1 {
			to = fmt.Sprintf("/suite/redirect/%d/%s", min(n, 20)-1, file)
		}
		http.Redirect(w, r, to, http.StatusFound)
	case "attachment":
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", path.Base(rest)))
		a.serveFile(w, r, rest)
	case "status":
		code, file := numbered(rest)
		a.serveFile(&statusWriter{w, min(max(code, 200), 599)}, r, file)
	case "events":
		a.events(w, r, rest)
	case "echo":
		a.echo(w, r)
	default:
		http.NotFound(w, r)
	}
}

// numbered cuts "12/file" in two.
func numbered(s string) (int, string) {
	first, rest, _ := strings.Cut(s, "/")
	n, _ := strconv.Atoi(first)
	return n, rest
}

func (a *site) pause(r *http.Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	case <-a.over.Done():
	}
}

// statusWriter answers with a status of its own.
type statusWriter struct {
	http.ResponseWriter
	code int
}

func (w *statusWriter) WriteHeader(int) { w.ResponseWriter.WriteHeader(w.code) }

// betweenEvents is how far the events of a stream are apart.
const betweenEvents = 200 * time.Millisecond

func (a *site) events(w http.ResponseWriter, r *http.Request, file string) {
	raw, err := fs.ReadFile(a.suite.files, file)
	if err != nil || a.suite.hidden[file] {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() && r.Context().Err() == nil {
		fmt.Fprintf(w, "data: %s\n\n", lines.Text())
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		a.pause(r, betweenEvents)
	}
}

func (a *site) echo(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer c.CloseNow()
	defer context.AfterFunc(a.over, func() { c.CloseNow() })()
	for {
		kind, text, err := c.Read(r.Context())
		if err != nil || c.Write(r.Context(), kind, text) != nil {
			return
		}
	}
}
