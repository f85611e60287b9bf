package lessons

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/candidates"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/read"
	"github.com/drover-go/drover/fetch/internal/grow"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// A Page is a page with what is true of its lists.
type Page struct {
	Host  string
	Lists *candidates.Page
	Gold  Gold
	// Want says of each kind and list how much of it gold has.
	Want [2][]float32
}

// Fold returns in which of n parts the pages of a host are. Each seed parts the
// hosts in another way.
func Fold(host string, seed uint64, n int) int {
	h := fnv.New64a()
	io.WriteString(h, host)
	x := (h.Sum64() + seed) * 0x9E3779B97F4A7C15
	return int((x ^ x>>31) >> 7 % uint64(n))
}

// answer is what gold says of a page: of a recipe, or of any.
type answer struct {
	Ingredients  []string `json:"ingredients"`
	Instructions []string `json:"instructions_list"`
	Canonical    string   `json:"canonical_url"`
	URL          string   `json:"url"`
}

// Read reads the pages of the corpora that teach something: all recipes, and all
// other pages, of which those that declare a recipe are ones and the rest has none.
func Read(dir string) ([]*Page, error) {
	var files []string
	for _, set := range [...]string{"recipes", "main-content", "products"} {
		found, _ := filepath.Glob(filepath.Join(dir, set, "html", "*.html.gz"))
		if len(found) == 0 {
			return nil, fmt.Errorf("no pages of %s below %q", set, dir)
		}
		files = append(files, found...)
	}
	pages, errs := make([]*Page, len(files)), make([]error, len(files))
	grow.Parallel(len(files), func(i int) { pages[i], errs[i] = readFile(files[i]) })
	var kept []*Page
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

func readFile(file string) (*Page, error) {
	id := strings.TrimSuffix(filepath.Base(file), ".html.gz")
	set := filepath.Dir(filepath.Dir(file))
	var a answer
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
	p, err := newPage(text, address, Gold{a.Ingredients, a.Instructions})
	if p != nil && p.Host == "" {
		p.Host = id
	}
	return p, err
}

// newPage reads a page, nil if nobody says whether it is a recipe: it has the
// name of one and declares none.
func newPage(text, address string, gold Gold) (p *Page, err error) {
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
	p = &Page{Host: grow.Host(address), Gold: gold}
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
				words[i] = wordsOf(g)
			}
			p.Want[kind] = make([]float32, p.Lists.Lists())
			for i := range p.Want[kind] {
				p.Want[kind][i] = share(p.Lists.Items(i), words)
			}
		}
		return nil
	})
	return p, err
}
