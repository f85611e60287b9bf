package main

import (
	"fmt"
	"os"

	"github.com/drover-go/drover/fetch/maincontent/internal/forest"
)

// write grows forests from all examples and writes them to a file.
func write(examples []*example, file string) error {
	m := learn(examples)
	b := forest.Encode(append(m.types, m.first, m.second))
	fmt.Println(len(b), "bytes")
	return os.WriteFile(file, b, 0o644)
}
