package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

// median is the middle one, in milliseconds.
func median(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2]) / float64(time.Millisecond)
}

// steady answers with n steps, and then the end.
type steady struct {
	n    int
	turn func(step int) []model.Part
}

func (s steady) Generate(_ context.Context, r model.Request) (model.Response, error) {
	if r.Step > s.n {
		return model.Response{Content: []model.Part{model.Call(fmt.Sprint("d", r.Step), "done", map[string]bool{"success": true})}}, nil
	}
	return model.Response{Content: s.turn(r.Step), Usage: model.Usage{Input: 10, Output: 1}}, nil
}

// BenchmarkStep is what the loop adds to a step: from the answer of the model to
// the next question, on a database on disk, with a browser that answers at once.
// Goal: p50 at most 5 ms.
func BenchmarkStep(b *testing.B) {
	var took []time.Duration
	w, err := openWorking(b.Context(), setup{
		unheard: true, dir: b.TempDir(), browser: &quickBrowser{html: strings.Repeat("<p>word</p>", 500)},
		model:  steady{50, func(step int) []model.Part { return []model.Part{clickPart(fmt.Sprint("c", step))} }},
		limits: Limits{MaxSteps: 60},
		hooks: Hooks{AfterStep: func(_ context.Context, s Step) {
			if s.Number > 1 { // the first one opens the session
				took = append(took, s.Took-s.Model)
			}
		}},
	})
	if err != nil {
		b.Fatal(err)
	}
	defer w.shut(context.Background())
	for b.Loop() {
		if r := w.do(b, Create{Task: "x"}); r.Status != Completed {
			b.Fatalf("%+v", r.Cause)
		}
	}
	b.ReportMetric(median(took), "ms/step")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkCreateToRunning is from Create to the first question to the model, on
// a database on disk. Goal: p50 at most 5 ms.
func BenchmarkCreateToRunning(b *testing.B) {
	var asked time.Time
	w, err := openWorking(b.Context(), setup{
		unheard: true, dir: b.TempDir(), browser: &quickBrowser{},
		model: model.Func(func(_ context.Context, r model.Request) (model.Response, error) {
			asked = time.Now()
			return steady{}.Generate(context.Background(), r)
		}),
	})
	if err != nil {
		b.Fatal(err)
	}
	defer w.shut(context.Background())
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		w.do(b, Create{Task: "x"})
		took = append(took, asked.Sub(began))
	}
	b.ReportMetric(median(took), "ms/start")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkTokens counts the tokens of a run of ten steps, each with a page of
// 20 KB, as a provider bills them that finds the beginning of a conversation in its
// cache if it is byte for byte as before: with the old pages shortened and whole.
func BenchmarkTokens(b *testing.B) {
	page := "<p>" + strings.Repeat("some words of a page ", 1000) + "</p>"
	for _, steps := range []int{10, 40} {
		for _, c := range []struct {
			name  string
			limit int
		}{{"shortened", 0}, {"whole", math.MaxInt}} {
			b.Run(fmt.Sprintf("steps=%d/%s", steps, c.name), func(b *testing.B) {
				var turns []scripted.Turn
				for range steps - 1 {
					turns = append(turns, scripted.Call("read", map[string]string{"as": "text"}))
				}
				for b.Loop() {
					m := scripted.New(append(slices.Clone(turns), done(true, "", ""))...)
					w, err := openWorking(b.Context(), setup{browser: &quickBrowser{html: page}, model: m, limits: Limits{MaxConversation: c.limit}})
					if err != nil {
						b.Fatal(err)
					}
					if r := w.do(b, Create{Task: "x"}); r.Status != Completed {
						b.Fatalf("%+v", r.Cause)
					}
					read, cached := billed(m.Requests())
					w.shut(context.Background())
					b.ReportMetric(float64(read+cached), "tokens")
					b.ReportMetric(float64(read), "new-tokens")
					b.ReportMetric(float64(read)*1.25+float64(cached)*0.1, "paid-tokens") // writes to a cache cost 1.25, reads 0.1
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// billed are the tokens that were read anew and from a cache, at four bytes each.
func billed(all []model.Request) (read, cached int) {
	before := ""
	for _, r := range all {
		raw, err := json.Marshal([]any{r.Tools, r.System, r.Task, r.Messages})
		if err != nil {
			panic(err)
		}
		now, same := string(raw), 0
		for same < min(len(before), len(now)) && before[same] == now[same] {
			same++
		}
		read, cached, before = read+(len(now)-same)/4, cached+same/4, now
	}
	return read, cached
}
