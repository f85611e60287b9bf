// Command train grows the forests that fetch/extract/internal/candidates tells lists
// with, from pages with gold answers, and writes them to a file. With -check it writes
// nothing and prints how forests do on the pages of hosts that they have not seen.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/drover-go/drover/fetch/extract/internal/candidates/lessons"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("corpora", os.Getenv("DROVER_CORPORA"), "the directory of the corpora")
	out := flag.String("o", "", "the file to write")
	check := flag.Bool("check", false, "print how forests do on hosts that they have not seen, five folds")
	verbose := flag.Bool("v", false, "print each page that is wrong")
	flag.Parse()
	pages, err := lessons.Read(*dir)
	if err != nil {
		log.Fatal(err)
	}
	school := lessons.NewSchool(pages)
	if *check {
		for seed := range uint64(3) {
			fmt.Println(school.Check(seed, *verbose))
		}
		return
	}
	b := lessons.Encode(school.Grow(func(*lessons.Page) bool { return true }))
	fmt.Println(len(b), "bytes")
	if err := os.WriteFile(*out, b, 0o644); err != nil {
		log.Fatal(err)
	}
}
