// Command train grows the forests that fetch/extract/internal/candidates tells lists
// with, from pages with gold answers, and writes them to a file. How forests do on the
// pages of hosts that they have not seen is measured with the tests of quality of
// fetch/extract.
package main

import (
	"flag"
	"log"
	"os"

	"github.com/drover-go/drover/fetch/extract/internal/candidates/lessons"
)

func main() {
	log.SetFlags(0)
	dir := flag.String("corpora", os.Getenv("DROVER_CORPORA"), "the directory of the corpora")
	out := flag.String("o", "", "the file to write")
	flag.Parse()
	pages, err := lessons.Read(*dir)
	if err != nil {
		log.Fatal(err)
	}
	b := lessons.Encode(lessons.NewSchool(pages).Grow(func(*lessons.Page) bool { return true }))
	if err := os.WriteFile(*out, b, 0o644); err != nil {
		log.Fatal(err)
	}
}
