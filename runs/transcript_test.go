package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/runs/tools"
)

// observed is a step whose answer has a page of so many bytes.
func observed(n, size int) []model.Message {
	call := model.Call(fmt.Sprint("c", n), "snapshot", nil)
	return []model.Message{
		{Role: model.Assistant, Content: []model.Part{call}},
		{Role: model.ToolRole, Content: []model.Part{model.Result(call, model.TextOutput(fmt.Sprint("page ", n, " ", strings.Repeat("x", size))))}},
	}
}

func shortened(m model.Message) model.Message {
	m.Content = append([]model.Part{}, m.Content...)
	for i, p := range m.Content {
		if p.Output != nil {
			m.Content[i] = model.Result(p, model.TextOutput(shorten.Bytes(p.Output.Text(), 20)))
		}
	}
	return m
}

// The beginning of the view stays the same over many steps, since providers cache
// it; what is left out is left out for several steps at once.
func TestOldPagesAreShortenedInSteps(t *testing.T) {
	var said transcript
	var before []model.Message
	changed, longest := 0, 0
	for n := range 40 {
		for _, m := range observed(n, 5000) {
			said.add(m)
		}
		view := said.view(40_000, shortened)
		if len(view) != len(said.turns) {
			t.Fatalf("%d messages of %d", len(view), len(said.turns))
		}
		if len(before) > 0 && !reflect.DeepEqual(view[:len(before)], before) {
			changed++
		}
		longest = max(longest, size(view))
		newest := view[len(view)-1].Results()[0].Output.Text()
		if len(newest) < 5000 {
			t.Fatalf("the newest page is cut: %s", newest)
		}
		before = view
	}
	if changed < 3 || changed > 8 {
		t.Errorf("the beginning changed %d times in 40 steps", changed)
	}
	if longest > 45_000 {
		t.Errorf("the view had %d bytes", longest)
	}
	whole := said.whole()
	if got := whole[1].Results()[0].Output.Text(); len(got) < 5000 {
		t.Errorf("the transcript itself is cut: %s", got)
	}
}

func size(all []model.Message) (n int) {
	for _, m := range all {
		for _, p := range m.Content {
			n += partSize(p)
		}
	}
	return n
}

// Also where few pages fit, and behind an overflow, the beginning changes seldom.
func TestTheBeginningStaysWherePagesAreLarge(t *testing.T) {
	for name, c := range map[string]struct{ page, limit, overflows int }{
		"a quarter of the limit": {16_000, 64_000, 0},
		"after an overflow":      {4_000, 160_000, 1},
	} {
		var said transcript
		var before []model.Message
		changed := 0
		for n := range 30 {
			for _, m := range observed(n, c.page) {
				said.add(m)
			}
			view := said.view(c.limit, shortened)
			if n == 10 && c.overflows > 0 {
				said.most = said.size() / 2
				view = said.view(c.limit, shortened)
			}
			if len(before) > 0 && !reflect.DeepEqual(view[:len(before)], before) {
				changed++
			}
			before = view
		}
		if changed < 2 || changed > 11 {
			t.Errorf("%s: the beginning changed %d times in 30 steps", name, changed)
		}
	}
}

func TestLongWordsOfTheModelAreShortenedToo(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 2000)
	var turns []scripted.Turn
	for range 30 {
		turns = append(turns, calls(model.Text(long), clickPart("")))
	}
	m := &capped{Model: scripted.New(append(turns, done(true, "", ""))...), most: 60_000}
	w := quick(t, setup{model: m, limits: Limits{MaxSteps: 40}})
	if r := w.do(t, Create{Task: "x"}); r.Status != Completed {
		t.Errorf("%s %+v", r.Status, r.Cause)
	}
}

// capped is a model that can read only so many bytes.
type capped struct {
	*scripted.Model
	most int
}

func (c *capped) Caps() model.Caps { return model.Caps{Tools: true, ContextTokens: c.most / 4} }

func (c *capped) Generate(ctx context.Context, r model.Request) (model.Response, error) {
	if n := size(r.Messages); n > c.most {
		return model.Response{}, &model.Error{Kind: model.ErrorOverflow, Message: fmt.Sprintf("%d bytes are too many", n)}
	}
	return c.Model.Generate(ctx, r)
}

func TestAPageFitsIntoASmallContext(t *testing.T) {
	t.Parallel()
	m := &capped{Model: scripted.New(scripted.Call("read", map[string]string{"as": "text"}), done(true, "", "")), most: 32_000}
	w := quick(t, setup{model: m, browser: &quickBrowser{html: "<p>" + strings.Repeat("word ", 20_000) + "</p>"}})
	if r := w.do(t, Create{Task: "x"}); r.Status != Completed {
		t.Errorf("%s %+v", r.Status, r.Cause)
	}
}

func TestOldImagesAreLeftOutInSteps(t *testing.T) {
	var said transcript
	dropped := 0
	for n := range 40 {
		for _, m := range observed(n, 10) {
			if m.Role == model.ToolRole {
				m.Content = append(m.Content, model.Part{Type: model.FilePart, MediaType: "image/png", Data: "aaaa"})
			}
			said.add(m)
		}
		before := said.short
		said.view(1_000_000, func(m model.Message) model.Message { m.Content = m.Content[:1]; return m })
		if said.short != before {
			dropped++
		}
		if got := said.images(); got > maxImages || n >= 3 && got < keptImages {
			t.Fatalf("%d images after step %d", got, n)
		}
	}
	if dropped < 2 || dropped > 5 {
		t.Errorf("images were left out %d times", dropped)
	}
}

func TestAModelThatCannotReadSoMuchIsShownLess(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 1000)
	overflow := &model.Error{Kind: model.ErrorOverflow, Message: "the prompt is too long"}
	note := scripted.Call("read", map[string]any{"as": "text"})
	for name, c := range map[string]struct {
		turns  []scripted.Turn
		status Status
		asked  int
	}{
		"once":     {[]scripted.Turn{note, note, note, {Err: overflow}, done(true, "", "")}, Completed, 5},
		"for ever": {[]scripted.Turn{note, note, note, {Err: overflow}, {Err: overflow}, done(true, "", "")}, Failed, 5},
		"at once":  {[]scripted.Turn{{Err: overflow}, done(true, "", "")}, Failed, 1},
	} {
		m := scripted.New(c.turns...)
		w := quick(t, setup{model: m, browser: &quickBrowser{html: "<p>" + long + "</p>"}})
		r := w.do(t, Create{Task: "x"})
		if r.Status != c.status || len(m.Requests()) != c.asked {
			t.Errorf("%s: %s %+v after %d questions", name, r.Status, r.Cause, len(m.Requests()))
		}
		if r.Status == Failed && (r.Cause.Code != CauseModel || r.Cause.Message != "the prompt is too long") {
			t.Errorf("%s: %+v", name, r.Cause)
		}
	}
}

func TestDataOfAPageIsFencedForLanguageModels(t *testing.T) {
	t.Parallel()
	read := scripted.Call("read", map[string]string{"as": "data"})
	m := scripted.New(read, done(true, "", ""))
	w := quick(t, setup{model: m})
	r := w.do(t, Create{Task: "x"})
	out := m.Requests()[1].Messages[1].Results()[0].Output
	if text := out.Text(); !strings.HasPrefix(text, "[page ") || !strings.Contains(text, "\n[end of page ") || out.Type != model.OutputText {
		t.Errorf("%s", text)
	}
	if stored := w.conversation(t, r.ID)[1].Results()[0].Output; stored.Type != model.OutputJSON || !json.Valid(stored.Value) {
		t.Errorf("%+v", stored)
	}
}

func TestShortenedAnswersKeepWhatWasDone(t *testing.T) {
	s := tools.New(tools.Options{})
	page := s.Fence(model.JSONOutput(json.RawMessage(`"`+strings.Repeat("é", 5000)+`"`)), 0)
	short := s.Shorten(model.TextOutput("Clicked button \"Go\".\n" + page.Text() + "\nand more")).Text()
	if len(short) > 900 || !strings.HasPrefix(short, "Clicked button \"Go\".\n[page ") || !strings.HasSuffix(short, "]\nand more") || !strings.Contains(short, "is left out here") {
		t.Errorf("%s", short)
	}
	if again := s.Shorten(model.TextOutput(short)).Text(); again != short {
		t.Errorf("shortened twice: %s", again)
	}
	if small := s.Shorten(model.ErrorOutput("no such element")); small.Text() != "no such element" || !small.IsError() {
		t.Errorf("%+v", small)
	}
}
