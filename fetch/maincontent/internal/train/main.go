// Command train grows the forests that fetch/maincontent tells content with,
// from pages with gold answers, and writes them as Go. With -check it writes
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
	corpora = flag.String("corpora", os.Getenv("DROVER_CORPORA"), "the directory of the corpora")
	check   = flag.String("check", "", "cv: five folds; half: grown on one half, scored on the other; oracle: the best that blocks can do")
	out     = flag.String("o", "", "the file to write")
	trees   = flag.Int("trees", 60, "trees of each forest")
	depth   = flag.Int("depth", 5, "depth of the trees")
	rate    = flag.Float64("rate", 0.15, "learning rate")
	lambda  = flag.Float64("lambda", 1, "what is added to the weight of a leaf")
	minimum = flag.Float64("min", 0.2, "the weight below which no leaf is split off")
	feats   = flag.Float64("feats", 0.2, "share of the features that each tree sees")
	alpha   = flag.Float64("alpha", 0.6, "how much long blocks count more than short ones: 0 as much, 1 by their words")
	sample  = flag.Float64("sample", 0.6, "share of the rows that each tree sees")
	balance = flag.Float64("balance", 0.8, "how much pages of rare types count more for the type: 0 as others, 1 as much as all of another type")
	verbose = flag.Bool("v", false, "print every page")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	examples, err := readCorpus(*corpora)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(examples), "pages,", examples[0].matrix.Width, "features")
	switch *check {
	case "":
		if err := write(examples, *out); err != nil {
			log.Fatal(err)
		}
	case "oracle":
		oracle(examples)
	case "types":
		checkTypes(examples)
	case "cv":
		crossValidate(examples)
	case "half":
		byHalves(examples)
	}
}

// oracle prints what blocks that are chosen by their labels score.
func oracle(examples []*example) {
	s := scores{}
	for _, e := range examples {
		keep := make([]bool, len(e.want))
		for i, w := range e.want {
			keep[i] = w >= 0.5
		}
		v := e.score(keep)
		if *verbose {
			fmt.Printf("%s %s %.3f\n", e.id, e.kind, v)
		}
		s.add(e.kind, v)
	}
	s.print("oracle")
}

const folds = 5

func crossValidate(examples []*example) {
	s, first, types := scores{}, scores{}, scores{}
	for fold := range folds {
		var train, test []*example
		for _, e := range examples {
			if int(e.hash()%folds) == fold {
				test = append(test, e)
			} else {
				train = append(train, e)
			}
		}
		evaluate(learn(train), test, s, first, types)
	}
	first.print("cv, first guess")
	s.print("cv")
	types.print("cv, type")
}

// checkTypes prints how many types are right in five folds.
func checkTypes(examples []*example) {
	s := scores{}
	for fold := range folds {
		var train, test []*example
		for _, e := range examples {
			if int(e.hash()%folds) == fold {
				test = append(test, e)
			} else {
				train = append(train, e)
			}
		}
		m := &model{types: learnTypes(train)}
		for _, e := range test {
			right := 0.0
			if m.kind(e) == e.kind {
				right = 1
			}
			s.add(e.kind, right)
		}
	}
	s.print("cv, type")
}

func byHalves(examples []*example) {
	for half := range 2 {
		var train, test []*example
		for _, e := range examples {
			if e.half() == half {
				test = append(test, e)
			} else {
				train = append(train, e)
			}
		}
		s, first, types := scores{}, scores{}, scores{}
		evaluate(learn(train), test, s, first, types)
		s.print(fmt.Sprintf("half %d, grown on the other", half))
	}
}

// scores are the scores of pages by type.
type scores map[string][]float64

func (s scores) add(kind string, v float64) {
	s[kind] = append(s[kind], v)
	s["all"] = append(s["all"], v)
}

func (s scores) print(title string) {
	fmt.Printf("%-28s", title)
	for _, kind := range append([]string{"all"}, kinds...) {
		sum := 0.0
		for _, v := range s[kind] {
			sum += v
		}
		fmt.Printf(" %s %.3f", kind, sum/float64(max(len(s[kind]), 1)))
	}
	fmt.Println()
}

var kinds = []string{"article", "service", "listing", "forum", "product", "documentation", "collection"}

func kindIndex(kind string) int { return slices.Index(kinds, kind) }
