package platform

import (
	"context"
	"io"
	"iter"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/api"
	"github.com/drover-go/drover/runs/actors"
)

// logLine is a line of a log.
type logLine struct {
	at   time.Time
	text string
}

// logSource is a log that may still grow.
type logSource struct {
	// name is what it is saved under.
	name string
	// read yields what there is, follow goes on until the end.
	read, follow func(ctx context.Context) iter.Seq2[logLine, error]
}

func getRunLog(x *exchange) (answer, error) { return x.runLog(x.Path("runId")) }

// getLog is that of a run or a build, whose id the log has.
func getLog(x *exchange) (answer, error) {
	id := x.Path("logId")
	a, err := x.runLog(id)
	if !errtypes.Is(err, errtypes.NotFound) {
		return a, err
	}
	b, missing := x.Actors.GetBuild(x.R.Context(), id)
	switch {
	case errtypes.Is(missing, errtypes.NotFound):
		return a, err
	case missing != nil:
		return a, missing
	}
	return x.buildLog(b)
}

func (x *exchange) runLog(id string) (answer, error) {
	if _, err := x.Actors.Run(x.R.Context(), id); err != nil {
		return answer{}, err
	}
	lines := func(read func(context.Context, string) iter.Seq2[actors.LogEntry, error]) func(context.Context) iter.Seq2[logLine, error] {
		return func(ctx context.Context) iter.Seq2[logLine, error] {
			return linesOf(read(ctx, id), func(e actors.LogEntry) logLine { return logLine{e.Time, e.Message} })
		}
	}
	return x.log(logSource{"run-" + id, lines(x.Actors.Log), lines(x.Actors.FollowLog)})
}

// linesOf are entries of a log as its lines.
func linesOf[E any](all iter.Seq2[E, error], line func(E) logLine) iter.Seq2[logLine, error] {
	return func(yield func(logLine, error) bool) {
		for e, err := range all {
			if !yield(line(e), err) {
				return
			}
		}
	}
}

// log answers with a log (wire-v2-stores, 9): what there is of it, or all until the
// end as it comes.
func (x *exchange) log(of logSource) (answer, error) {
	q := x.Query()
	live, raw, download := q.Flag("stream"), q.Flag("raw"), q.Flag("download")
	if err := q.Err(); err != nil {
		return answer{}, err
	}
	name := ""
	if download {
		name = of.name + ".log"
	}
	if live {
		x.followLog(of, name, raw)
		return answer{}, nil
	}
	return api.OK(&api.Document{Name: name, Type: "text/plain; charset=utf-8", Write: func(w io.Writer) error {
		for l, err := range of.read(x.R.Context()) {
			if err != nil {
				return err
			}
			if _, err := w.Write(l.appendTo(nil, raw)); err != nil {
				return err
			}
		}
		return nil
	}}), nil
}

// appendTo adds a line as it is sent.
func (l logLine) appendTo(dst []byte, raw bool) []byte {
	text := l.text
	if !raw {
		text = plain(text)
	}
	dst = l.at.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000Z")
	return append(append(append(dst, ' '), text...), '\n')
}

// escapes are what tells a terminal how to show text.
var escapes = regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[@-Z\\^_])`)

// plain is text without what no page can show.
func plain(text string) string {
	if strings.Contains(text, "\x1b") {
		text = escapes.ReplaceAllString(text, "")
	}
	return strings.Map(func(r rune) rune {
		if r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// heartbeat is how often a log that is followed is asked whether its token is still
// good. There is no sign of life that a reader would not take for a line.
const heartbeat = 15 * time.Second

// followLog sends lines as they are written, until the end or until the service
// closes. An answer that fails on its way is broken off.
func (x *exchange) followLog(of logSource, name string, raw bool) {
	live := x.LiveText(name)
	defer live.End()
	defer context.AfterFunc(x.Accepting, live.Break)()
	if x.R.Method == http.MethodHead {
		return
	}
	ctx, cancel := x.untilClosing()
	defer cancel()
	lines, ended := make(chan logLine, 64), make(chan error, 1)
	go func() {
		ended <- forward(ctx, of.follow(ctx), lines)
		close(lines)
	}()
	err := x.relay(live, lines, raw)
	cancel()
	if other := <-ended; err == nil {
		err = other
	}
	if err != nil && x.R.Context().Err() == nil && x.Accepting.Err() == nil {
		x.Record.Err = err
		panic(http.ErrAbortHandler)
	}
}

func forward(ctx context.Context, from iter.Seq2[logLine, error], to chan<- logLine) error {
	for l, err := range from {
		if err != nil {
			return err
		}
		select {
		case to <- l:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// relay sends the lines that there are together.
func (x *exchange) relay(live *api.Live, lines <-chan logLine, raw bool) error {
	const enough = 32 << 10
	beat := x.opts.Clock.NewTimer(heartbeat)
	defer beat.Stop()
	var piece []byte
	for {
		select {
		case l, more := <-lines:
			if !more {
				return nil
			}
			if piece = l.appendTo(piece, raw); len(lines) > 0 && len(piece) < enough {
				continue
			}
			if err := live.Send(piece); err != nil {
				return err
			}
			piece = piece[:0]
		case <-beat.C():
			beat.Reset(heartbeat)
			if _, err := x.opts.Authenticate(x.Exchange); err != nil {
				return err
			}
		}
	}
}
