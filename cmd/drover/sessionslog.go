package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/drover-go/drover/runs/sessions"
)

type sessionsLogCmd struct {
	service
	ID     string `arg:"" help:"Id of the session, as list prints it."`
	Follow bool   `short:"f" help:"Go on until the session ends."`
}

// followInterval is how often a log that is followed is asked for.
const followInterval = 500 * time.Millisecond

// Run prints the log, one line an entry. As JSON each is as the service has it.
func (cmd sessionsLogCmd) Run(ctx context.Context, c console) error {
	api, err := cmd.client()
	if err != nil {
		return err
	}
	p := logPrinter{out: c.stdout, json: cmd.JSON}
	for {
		// The state first: what a session that has ended says is all that it will.
		var s sessionState
		if err := api.call(ctx, "GET", sessionPath(cmd.ID, ""), nil, &s); err != nil {
			return err
		}
		var all []json.RawMessage
		if err := api.call(ctx, "GET", sessionPath(cmd.ID, "/logs"), nil, &all); err != nil {
			return err
		}
		if err := p.print(all); err != nil || !cmd.Follow || s.ended() {
			return err
		}
		select {
		case <-ctx.Done():
			return nil // whoever follows has seen enough
		case <-time.After(followInterval):
		}
	}
}

// logPrinter prints of each answer what the one before did not have.
type logPrinter struct {
	out  io.Writer
	json bool
	seen []string
}

func (p *logPrinter) print(all []json.RawMessage) error {
	texts := make([]string, len(all))
	for i, raw := range all {
		texts[i] = string(raw)
	}
	news := after(p.seen, texts)
	p.seen = texts
	for _, text := range news {
		line, err := text, error(nil)
		if !p.json {
			line, err = logLine(text)
		}
		if _, errOut := fmt.Fprintln(p.out, line); err != nil || errOut != nil {
			return errors.Join(err, errOut)
		}
	}
	return nil
}

// after returns what of a log is new. A log keeps its newest entries: those of
// now begin somewhere among those of before.
func after(before, now []string) []string {
	for gone := range before {
		rest := before[gone:]
		if len(rest) <= len(now) && slices.Equal(rest, now[:len(rest)]) {
			return now[len(rest):]
		}
	}
	return now
}

// logLine is an entry as a line for people.
func logLine(text string) (string, error) {
	e, err := logEntryOf(text)
	if err != nil {
		return "", err
	}
	return e.Time.UTC().Format("15:04:05.000") + "  " + oneLine(logWords(e)), nil
}

func logEntryOf(text string) (e sessions.LogEntry, err error) {
	var wire struct {
		Method    string
		PageID    int
		SessionID string
		Timestamp int64
		Request   struct{ Params json.RawMessage }
	}
	err = json.Unmarshal([]byte(text), &wire)
	return sessions.LogEntry{
		Method: wire.Method, Page: wire.PageID, SessionID: wire.SessionID, Time: time.UnixMilli(wire.Timestamp), Params: wire.Request.Params,
	}, err
}

// logWords is an entry in words: its method, and the address or the text in it.
func logWords(e sessions.LogEntry) string {
	var p struct {
		URL, Message string
		Request      struct{ URL string }
		Response     struct{ URL string }
		Frame        struct{ URL string }
	}
	_ = json.Unmarshal(e.Params, &p) // what has none of these says nothing more
	for _, text := range []string{p.URL, p.Message, p.Request.URL, p.Response.URL, p.Frame.URL} {
		if text != "" {
			return e.Method + "  " + text
		}
	}
	return e.Method
}
