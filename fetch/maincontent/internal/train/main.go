// Command train grows the forests that fetch/maincontent tells content with,
// from pages with gold answers, and writes them to a file. With -check it writes
// nothing and prints how forests do on pages that they have not seen.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
)

var (
	corpora   = flag.String("corpora", os.Getenv("DROVER_CORPORA"), "the directory of the corpora")
	check     = flag.String("check", "", "cv: five folds; half: grown on one half of the hosts, scored on the other; worst: the blocks of the worst pages of five folds; oracle: the best that blocks can do")
	out       = flag.String("o", "", "the file to write")
	seeds     = flag.Int("seeds", 3, "how many times the hosts are parted into folds")
	least     = flag.Float64("least", 0, "the mean F1 below which -check cv fails")
	worst     = flag.Int("worst", 40, "how many pages -check worst prints")
	bags      = flag.Int("bags", 1, "forests that are averaged into one")
	trees     = flag.Int("trees", 60, "trees of each first forest")
	trees2    = flag.Int("trees2", 240, "trees of each second forest")
	depth     = flag.Int("depth", 5, "depth of the trees of the first forest, at most forest.MaxDepth")
	depth2    = flag.Int("depth2", 5, "depth of the trees of the second forest, at most forest.MaxDepth")
	typeTrees = flag.Int("typetrees", 40, "trees of the forest of a type")
	typeFeats = flag.Float64("typefeats", 0.4, "share of the features that a tree of a type sees")
	rate      = flag.Float64("rate", 0.12, "learning rate of the first forest")
	rate2     = flag.Float64("rate2", 0.055, "learning rate of the second forest")
	lambda    = flag.Float64("lambda", 2, "what is added to the weight of a leaf")
	minimum   = flag.Float64("min", 1, "the weight below which no leaf is split off")
	feats     = flag.Float64("feats", 0.25, "share of the features that each tree sees")
	alpha     = flag.Float64("alpha", 0.6, "how much long blocks count more than short ones: 0 as much, 1 by their words")
	feats2    = flag.Float64("feats2", 0.2, "share of the features that each tree of the second forest sees")
	sample    = flag.Float64("sample", 0.18, "share of the rows that each tree sees, those that matter more rather than others")
	balance   = flag.Float64("balance", 0.8, "how much pages of rare types count more for the type: 0 as others, 1 as much as all of another type")
	without   = flag.String("without", "", "a regular expression: features with such names are not asked for")
	verbose   = flag.Bool("v", false, "print every page")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	examples, err := readCorpus(*corpora)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(examples), "pages,", examples[0].matrix.Width, "features")
	s := newSchool(examples)
	switch *check {
	case "":
		if err := s.write(*out); err != nil {
			log.Fatal(err)
		}
	case "oracle":
		oracle(examples)
	case "cv":
		found := crossValidate(s)
		found.print("cv")
		if got := found.second.mean("all", f1); got < *least {
			log.Fatalf("%.3f is below the baseline of %.3f", got, *least)
		}
	case "worst":
		*seeds = 1
		printWorst(crossValidate(s), *worst)
	case "half":
		byHalves(s)
	}
}

var kinds = []string{"article", "service", "listing", "forum", "product", "documentation", "collection"}

func kindIndex(kind string) int { return slices.Index(kinds, kind) }
