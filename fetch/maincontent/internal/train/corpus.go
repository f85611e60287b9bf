package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/grow"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
)

// An example is a page of the corpus with its answer.
type example struct {
	id, kind string
	host     string // folds and halves go by it
	page     *blocks.Page
	texts    [][]string // the words of each block
	gold     []string
	matrix   *blocks.Matrix
	want     []float32
	likely   []float32 // what a model that has not seen the page says
}

// hash is the same for pages of one host: who has seen one knows the others.
func (e *example) hash() uint32 {
	h := fnv.New32a()
	io.WriteString(h, e.host)
	return h.Sum32() >> 3
}

// hostOf returns the host of an address without "www."; a page without an
// address stands for itself.
func hostOf(address *url.URL, id string) string {
	if address == nil || address.Host == "" {
		return id
	}
	return grow.Host(address.Hostname())
}

// part is in which of n parts of the hosts the example lies. Each seed parts
// them in another way.
func (e *example) part(seed uint64, n int) int {
	h := (uint64(e.hash())<<16 + seed + 1) * 0x9E3779B97F4A7C15
	return int((h ^ h>>31) >> 7 % uint64(n))
}

// half is 0 for the pages that rules are made on, 1 for those that confirm.
func (e *example) half() int { return int(e.hash() % 2) }

func readCorpus(dir string) ([]*example, error) {
	files, _ := filepath.Glob(filepath.Join(dir, "main-content", "html", "*.html.gz"))
	if len(files) == 0 {
		return nil, fmt.Errorf("no pages below %q; -corpora or DROVER_CORPORA names the directory", dir)
	}
	slices.Sort(files)
	examples := make([]*example, len(files))
	errs := make([]error, len(files))
	grow.Parallel(len(files), func(i int) { examples[i], errs[i] = readExample(files[i]) })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return examples, nil
}

func readExample(file string) (*example, error) {
	id := strings.TrimSuffix(filepath.Base(file), ".html.gz")
	var answer struct {
		URL      string `json:"url"`
		Internal struct {
			PageType struct {
				Primary string `json:"primary"`
			} `json:"page_type"`
		} `json:"_internal"`
		Truth struct {
			Main string `json:"main_content"`
		} `json:"ground_truth"`
	}
	raw, err := os.ReadFile(filepath.Join(filepath.Dir(file), "..", "ground-truth", id+".json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, err
	}
	text, err := grow.ReadGzip(file)
	if err != nil {
		return nil, err
	}
	doc, err := parse(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return nil, err
	}
	address, _ := url.Parse(answer.URL)
	e := &example{id: id, host: hostOf(address, id), kind: answer.Internal.PageType.Primary, gold: tokens(answer.Truth.Main)}
	if e.kind == "category" {
		e.kind = "collection"
	}
	e.page, err = blocks.Read(doc, address, func(int) {}, parse)
	if err != nil {
		return nil, err
	}
	for i := range e.page.Blocks {
		e.texts = append(e.texts, e.words(i))
	}
	e.matrix = e.page.Features()
	e.want = label(e.texts, e.gold)
	e.page.Forget()
	return e, nil
}

func parse(s string) (*html.Node, error) {
	return tree.Parse(context.Background(), s, tree.Options{})
}

// words returns the words of a block.
func (e *example) words(i int) []string {
	var b strings.Builder
	for _, t := range e.page.Texts(i) {
		b.WriteString(t.Data)
		b.WriteByte(' ') // a line break may lie between
	}
	return tokens(b.String())
}

// score compares the blocks that are kept with the answer.
func (e *example) score(keep []bool) measure {
	var got []string
	for i, k := range keep {
		if k {
			got = append(got, e.texts[i]...)
		}
	}
	return compare(got, e.gold)
}
