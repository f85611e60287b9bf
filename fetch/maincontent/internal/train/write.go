package main

import (
	"fmt"
	"os"

	"github.com/drover-go/drover/fetch/internal/forest"
)

// write grows forests from all examples and writes them to a file.
func (s *school) write(file string) error {
	m := s.learn(func(int) bool { return true }, 0)
	b := forest.Encode(append(m.types, m.first, m.second))
	fmt.Println(len(b), "bytes")
	return os.WriteFile(file, b, 0o644)
}
