package providertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/model"
)

// A row is one question, and what comes of it.
type row struct {
	name  string
	reply Reply
	setup Setup
	ask   func(*model.Request)
	want
}

// want is what a model returns.
type want struct {
	// fails says that there is no answer, and the next four fields why.
	fails      bool
	kind       model.ErrorKind
	temporary  bool
	retryAfter time.Duration
	says       string
	// content and finish are the answer. Ids of calls are not compared.
	content []model.Part
	finish  model.Finish
	usage   *model.Usage // nil for any
	// paid says that a failed answer has cost something.
	paid bool
}

func fails(kind model.ErrorKind, temporary bool) want {
	return want{fails: true, kind: kind, temporary: temporary}
}

func says(finish model.Finish, content ...model.Part) want {
	return want{content: content, finish: finish}
}

func call(name, input string) model.Part {
	return model.Part{Type: model.ToolCallPart, ToolName: name, Input: json.RawMessage(input)}
}

// run plays the row: one request, whatever comes.
func (w Wire) run(t *testing.T, r row) {
	t.Helper()
	s := w.serve(t, inTurn(r.reply))
	req := Request()
	if r.ask != nil {
		r.ask(&req)
	}
	got, err := s.model(r.setup).Generate(t.Context(), req)
	r.check(t, got, err)
	if n := len(s.requests()); n != 1 {
		t.Errorf("%d requests instead of one", n)
	}
}

func (r want) check(t *testing.T, got model.Response, err error) {
	t.Helper()
	if r.fails {
		r.checkError(t, got, err)
		return
	}
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	if d := cmp.Diff(plain(r.content), plain(got.Content)); d != "" {
		t.Errorf("content (-want +got)\n%s", d)
	}
	if got.Finish != r.finish {
		t.Errorf("finish %q instead of %q", got.Finish, r.finish)
	}
	if r.usage != nil && got.Usage != *r.usage {
		t.Errorf("usage %+v instead of %+v", got.Usage, *r.usage)
	}
}

func (r want) checkError(t *testing.T, got model.Response, err error) {
	t.Helper()
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		t.Fatalf("%v is no *model.Error; answer %+v", err, got)
	}
	if e.Kind != r.kind || e.Temporary != r.temporary || e.RetryAfter != r.retryAfter {
		t.Errorf("kind %q, temporary %v, after %v instead of %q, %v, %v: %v", e.Kind, e.Temporary, e.RetryAfter, r.kind, r.temporary, r.retryAfter, err)
	}
	if !strings.Contains(e.Message, r.says) || strings.TrimSpace(e.Message) == "" {
		t.Errorf("the message %q does not say %q", e.Message, r.says)
	}
	if strings.Contains(err.Error(), Key) {
		t.Errorf("the key is in %q", err)
	}
	if len(got.Content) > 0 || got.Replay != nil {
		t.Errorf("an error with the answer %+v", got)
	}
	if r.paid && got.Usage.Total() == 0 {
		t.Error("what was paid for is not told")
	}
}

// plain makes contents comparable: no ids, JSON without spaces.
func plain(parts []model.Part) (all []model.Part) {
	for _, p := range parts {
		p.ToolCallID = ""
		var b bytes.Buffer
		if p.Input != nil && json.Compact(&b, p.Input) == nil {
			p.Input = b.Bytes()
		}
		all = append(all, p)
	}
	return all
}

// twice runs a test for documents and for streams.
func twice(t *testing.T, test func(t *testing.T, streamed bool)) {
	t.Helper()
	t.Run("plain", func(t *testing.T) { test(t, false) })
	t.Run("streamed", func(t *testing.T) { test(t, true) })
}

// Run plays the whole matrix.
func Run(t *testing.T, w Wire) {
	t.Run("stops", w.stops) // first: it counts goroutines
	t.Run("refused requests", w.refusedRequests)
	t.Run("answers that are none", w.noAnswers)
	t.Run("answers", w.answers)
	t.Run("contents", w.contents)
	t.Run("arguments", w.arguments)
	t.Run("usage", w.usage)
	t.Run("ids", w.ids)
	t.Run("without tools", w.withoutTools)
	t.Run("streams", w.streams)
	t.Run("cut answers", w.cuts)
	t.Run("large answers", w.large)
	t.Run("redirects", w.redirects)
	t.Run("time limits", w.timeLimits)
	t.Run("an open end", w.openEnd)
	t.Run("slow but alive", w.slowButAlive)
	t.Run("refused fields", w.refusedFields)
	t.Run("refused in the stream", w.refusedInStream)
	t.Run("refused schemas", w.refusedSchemas)
	t.Run("refused replay", w.refusedReplay)
	t.Run("forced tools", w.forcedTools)
	t.Run("more output", w.moreOutput)
}
