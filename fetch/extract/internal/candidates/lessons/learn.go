package lessons

import (
	"github.com/drover-go/drover/fetch/extract/internal/candidates"
	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/internal/grow"
)

// A School is pages whose lists are read into columns once, for any number of models.
type School struct {
	Pages   []*Page
	columns *grow.Columns
	page    []int // of each row
	want    [2][]float32
	weight  [2][]float32
}

// settings are how the forests are grown.
var settings = grow.Settings{Trees: 70, Depth: 4, Rate: 0.15, Sample: 0.7, Features: 0.4, Lambda: 1, Minimum: 1, Seed: 1}

// NewSchool makes rows of all lists. A forest should be sure of a list where most of
// its items are right; the lists of a page do not count where gold is one text, whose
// parts nobody knows.
func NewSchool(pages []*Page) *School {
	s := &School{Pages: pages}
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
func (s *School) Grow(sees func(*Page) bool) *candidates.Model {
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
func (s *School) Folds(seed uint64) func(host string) *candidates.Model {
	const n = 5
	var models [n]*candidates.Model
	for k := range models {
		models[k] = s.Grow(func(p *Page) bool { return Fold(p.Host, seed, n) != k })
	}
	return func(host string) *candidates.Model { return models[Fold(host, seed, n)] }
}

// Encode writes a model as package candidates reads it.
func Encode(m *candidates.Model) []byte { return forest.Encode([]*forest.Forest{m[0], m[1]}) }
