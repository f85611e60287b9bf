package extract

import (
	"context"
	"encoding/json"
	"flag"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/internal/grow"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/corpora"
)

var growPublishedTo = flag.String("growpublished", "", "the file that TestGrowPublished writes the forest for dates to")

// TestGrowPublished grows the forest that the date of a page is chosen with, where a
// file is given for it: go test ./fetch/extract -run GrowPublished -growpublished published.bin.
func TestGrowPublished(t *testing.T) {
	if *growPublishedTo == "" {
		t.Skip("without -growpublished")
	}
	f := newDateSchool(t).grow(func(*dateLesson) bool { return true })
	if err := os.WriteFile(*growPublishedTo, forest.Encode([]*forest.Forest{f}), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The right answers of the rules that the forest replaced: of the 782 pages with a
// date, and of the 715 without one.
const (
	rulesDates  = 603
	rulesNoDate = 642
)

// TestQualityPublishedHeldOut measures the date of pages on the forests that have seen
// no page of their hosts.
func TestQualityPublishedHeldOut(t *testing.T) {
	corpora.Measure(t)
	s := newDateSchool(t)
	const seeds, folds = 3, 5
	var date, noDate share
	for seed := range uint64(seeds) {
		var forests [folds]*forest.Forest
		grow.Parallel(folds, func(k int) {
			forests[k] = s.grow(func(l *dateLesson) bool { return foldOf(l.host, seed, folds) != k })
		})
		for _, l := range s.lessons {
			got := l.plain
			if !l.sparse {
				got = choose(l.rows, forests[foldOf(l.host, seed, folds)])
			}
			if l.gold != "" {
				date.count(t, l.id, "date", l.is(got), dateOf(got), l.gold)
			} else {
				noDate.count(t, l.id, "no date", got == nil, dateOf(got), "")
			}
		}
	}
	t.Logf("the rules had %d dates of %d, %d of %d without", rulesDates, date.all/seeds, rulesNoDate, noDate.all/seeds)
	date.atLeast(t, "dates", 0.80)
	noDate.atLeast(t, "pages without a date", 0.90)
}

func dateOf(d *day) string {
	if d == nil {
		return ""
	}
	return d.date
}

// A dateLesson is a page with the day on which it was published.
type dateLesson struct {
	id, host, gold string
	rows           []row
	sparse         bool
	plain          *day
}

// is reports whether a day is the one of gold, which may be a month.
func (l *dateLesson) is(d *day) bool { return l.gold != "" && strings.HasPrefix(dateOf(d), l.gold) }

// A dateSchool is pages whose rows are read into columns once, for any number of forests.
type dateSchool struct {
	lessons      []*dateLesson
	columns      *grow.Columns
	of           []*dateLesson // of each row
	want, weight []float32
}

func newDateSchool(t *testing.T) *dateSchool {
	t.Helper()
	pages := corpora.Pages(t, "main-content")
	s := &dateSchool{lessons: make([]*dateLesson, len(pages))}
	grow.Parallel(len(pages), func(i int) { s.lessons[i] = readDateLesson(t, pages[i].ID, pages[i].HTML(t)) })
	var rows []row
	for _, l := range s.lessons {
		for _, r := range l.rows {
			rows, s.of = append(rows, r), append(s.of, l)
			s.want, s.weight = append(s.want, has(l.is(r.day))), append(s.weight, 1)
		}
	}
	s.columns = grow.NewColumns(rowFeatures, len(rows), func(r, f int) float32 { return rows[r].features[f] })
	return s
}

func readDateLesson(t *testing.T, id, src string) *dateLesson {
	t.Helper()
	var at struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(corpora.File(t, "main-content/ground-truth/"+id+".json"), &at); err != nil {
		t.Fatal(err)
	}
	gold := goldOf(t, id).Truth.Date
	l := &dateLesson{id: id, host: grow.Host(at.URL), gold: gold[:min(len(gold), len("2006-01-02"))]}
	doc, err := tree.Parse(context.Background(), src, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.New(context.Background(), doc, &url.URL{Scheme: "https", Host: "example.com", Path: "/"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Meter.Run(func() error {
		c := calendarOf(newBelief(p))
		l.rows, l.sparse, l.plain = c.rows(), c.reading.bytes <= sparse, c.plain()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// grow grows a forest on the pages that it may see.
func (s *dateSchool) grow(sees func(*dateLesson) bool) *forest.Forest {
	var rows []int32
	for r, l := range s.of {
		if sees(l) {
			rows = append(rows, int32(r))
		}
	}
	return grow.Fit(grow.Lesson{Columns: s.columns, Rows: rows, Want: s.want, Weight: s.weight},
		grow.Settings{Trees: 150, Depth: 4, Rate: 0.08, Sample: 0.7, Features: 0.4, Lambda: 2, Minimum: 2, Seed: 1})
}

func TestTheForestForDatesIsWhole(t *testing.T) {
	for _, tree := range publishedForest().Trees {
		for _, n := range tree {
			if n.Feature >= rowFeatures {
				t.Fatalf("feature %d of %d", n.Feature, rowFeatures)
			}
		}
	}
}
