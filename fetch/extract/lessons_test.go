package extract

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/candidates"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/read"
	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/internal/grow"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/corpora"
)

// Lessons for package candidates are pages with gold answers: recipes that people
// have written down, and the recipes that pages declare for machines, which are gold
// for what the same pages show.

var growTo = flag.String("grow", "", "the file that TestGrow writes the forests for lists to")

// TestGrow grows the forests that candidates tells lists with, where a file is
// given for them: go test ./fetch/extract -run Grow -grow internal/candidates/weights.bin.
// How forests do on the pages of hosts that they have not seen is measured by
// TestQualityRecipesHeldOut.
func TestGrow(t *testing.T) {
	if *growTo == "" {
		t.Skip("without -grow")
	}
	pages, err := readLessons(corpora.Dir(t))
	if err != nil {
		t.Fatal(err)
	}
	m := newSchool(pages).Grow(func(*lesson) bool { return true })
	if err := os.WriteFile(*growTo, forest.Encode(m[:]), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A lesson is a page with what is true of its lists.
type lesson struct {
	Host  string
	Lists *candidates.Page
	Gold  listed
	// Want says of each kind and list how much of it gold has.
	Want [2][]float32
}

// foldOf returns in which of n parts the pages of a host are. Each seed parts the
// hosts in another way.
func foldOf(host string, seed uint64, n int) int {
	h := fnv.New64a()
	io.WriteString(h, host)
	x := (h.Sum64() + seed) * 0x9E3779B97F4A7C15
	return int((x ^ x>>31) >> 7 % uint64(n))
}

// lessonGold is what gold says of a page: of a recipe, or of any.
type lessonGold struct {
	Ingredients  []string `json:"ingredients"`
	Instructions []string `json:"instructions_list"`
	Canonical    string   `json:"canonical_url"`
	URL          string   `json:"url"`
}

// readLessons reads the pages of the corpora that teach something: all recipes, and all
// other pages, of which those that declare a recipe are ones and the rest has none.
func readLessons(dir string) ([]*lesson, error) {
	var files []string
	for _, set := range [...]string{"recipes", "main-content", "products"} {
		found, _ := filepath.Glob(filepath.Join(dir, set, "html", "*.html.gz"))
		if len(found) == 0 {
			return nil, fmt.Errorf("no pages of %s below %q", set, dir)
		}
		files = append(files, found...)
	}
	pages, errs := make([]*lesson, len(files)), make([]error, len(files))
	grow.Parallel(len(files), func(i int) { pages[i], errs[i] = readLesson(files[i]) })
	var kept []*lesson
	for i, p := range pages {
		if errs[i] != nil {
			return nil, fmt.Errorf("%s: %w", files[i], errs[i])
		}
		if p != nil {
			kept = append(kept, p)
		}
	}
	return kept, nil
}

func readLesson(file string) (*lesson, error) {
	id := strings.TrimSuffix(filepath.Base(file), ".html.gz")
	set := filepath.Dir(filepath.Dir(file))
	var a lessonGold
	raw, err := os.ReadFile(filepath.Join(set, "ground-truth", id+".json"))
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	text, err := grow.ReadGzip(file)
	if err != nil {
		return nil, err
	}
	address := a.URL + a.Canonical
	p, err := newLesson(text, address, listed{a.Ingredients, a.Instructions})
	if p != nil && p.Host == "" {
		p.Host = id
	}
	return p, err
}

// newLesson reads a page, nil if nobody says whether it is a recipe: it has the
// name of one and declares none.
func newLesson(text, address string, gold listed) (p *lesson, err error) {
	doc, err := tree.Parse(context.Background(), strings.ToValidUTF8(text, "\uFFFD"), tree.Options{})
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(address)
	if err != nil || at.Host == "" {
		at = &url.URL{Scheme: "https", Host: "example.com", Path: "/"}
	}
	src, err := page.New(context.Background(), doc, at, 0)
	if err != nil {
		return nil, err
	}
	p = &lesson{Host: grow.Host(address), Gold: gold}
	err = src.Meter.Run(func() error {
		p.Lists = candidates.Read(src)
		if len(gold[0])+len(gold[1]) == 0 {
			recipe := false
			if p.Gold, recipe = declared(read.FormsOf(src)); !recipe && p.Lists.SaysRecipe() {
				p = nil
				return nil
			}
		}
		for kind, gold := range p.Gold {
			words := make([]string, len(gold))
			for i, g := range gold {
				words[i] = itemWords(g)
			}
			p.Want[kind] = make([]float32, p.Lists.Lists())
			for i := range p.Want[kind] {
				p.Want[kind][i] = shareOf(p.Lists.Items(i), words)
			}
		}
		return nil
	})
	return p, err
}

// A school is pages whose lists are read into columns once, for any number of models.
type school struct {
	Pages   []*lesson
	columns *grow.Columns
	page    []int // of each row
	want    [2][]float32
	weight  [2][]float32
}

// settings are how the forests are grown.
var settings = grow.Settings{Trees: 70, Depth: 4, Rate: 0.15, Sample: 0.7, Features: 0.4, Lambda: 1, Minimum: 1, Seed: 1}

// newSchool makes rows of all lists. A forest should be sure of a list where most of
// its items are right; the lists of a page do not count where gold is one text, whose
// parts nobody knows.
func newSchool(pages []*lesson) *school {
	s := &school{Pages: pages}
	var rows [][]float32
	for i, p := range pages {
		for k := range p.Lists.Lists() {
			rows = append(rows, p.Lists.Row(k))
			s.page = append(s.page, i)
			for kind, gold := range p.Gold {
				weight := float32(1)
				if len(gold) == 1 && len(gold[0]) > maxOneText {
					weight = 0
				}
				s.want[kind] = append(s.want[kind], min(max((p.Want[kind][k]-0.3)/0.4, 0), 1))
				s.weight[kind] = append(s.weight[kind], weight)
			}
		}
	}
	s.columns = grow.NewColumns(candidates.Width, len(rows), func(r, f int) float32 { return rows[r][f] })
	return s
}

// maxOneText is how long the only item of a list is, in bytes, that may be one.
const maxOneText = 400

// Grow grows a model on the pages that it may see.
func (s *school) Grow(sees func(*lesson) bool) *candidates.Model {
	var m candidates.Model
	var rows []int32
	for r, i := range s.page {
		if sees(s.Pages[i]) {
			rows = append(rows, int32(r))
		}
	}
	grow.Parallel(len(m), func(kind int) {
		m[kind] = grow.Fit(grow.Lesson{Columns: s.columns, Rows: rows, Want: s.want[kind], Weight: s.weight[kind]}, settings)
	})
	return &m
}

// Folds grows a model for each of five parts of the hosts, which it has not seen, and
// returns which one to ask about a host.
func (s *school) Folds(seed uint64) func(host string) *candidates.Model {
	const n = 5
	var models [n]*candidates.Model
	for k := range models {
		models[k] = s.Grow(func(p *lesson) bool { return foldOf(p.Host, seed, n) != k })
	}
	return func(host string) *candidates.Model { return models[foldOf(host, seed, n)] }
}
