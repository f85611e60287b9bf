package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/runs/sessions"
)

type sessionsLogCmd struct {
	service
	ID     string `arg:"" help:"Id of the session, as list prints it."`
	Follow bool   `short:"f" help:"Go on until the session ends."`
}

// followInterval is how often a log that is followed is asked for. Each answer is
// the whole log, of 1 MiB at most.
const followInterval = 2 * time.Second

// Run prints the log in words, without what only programs need to know. As JSON
// every entry is there, as the service has it, each in a line.
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

// logTime is when something happened, in UTC.
const logTime = "15:04:05.000Z07:00"

// logPrinter prints of each answer what the one before did not have.
type logPrinter struct {
	out  io.Writer
	json bool
	seen []string

	narrator sessions.Narrator
}

func (p *logPrinter) print(all []json.RawMessage) error {
	texts := make([]string, len(all))
	for i, raw := range all {
		texts[i] = string(raw)
	}
	news := after(p.seen, texts)
	p.seen = texts
	for _, text := range news {
		if err := p.entry(text); err != nil {
			return err
		}
	}
	return nil
}

// entry prints one entry: as it is, or in words where it has some for people.
func (p *logPrinter) entry(text string) error {
	if p.json {
		_, err := fmt.Fprintln(p.out, text)
		return err
	}
	e, err := logEntryOf(text)
	if err != nil {
		return err
	}
	if line, ok := p.narrator.Log(e); ok {
		_, err = fmt.Fprintf(p.out, "%s  %s\n", line.Time.UTC().Format(logTime), strings.Map(printable, line.Text))
	}
	return err
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
