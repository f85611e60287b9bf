package bundler

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

// Name is what the program of the host is called to be the bundler.
const Name = "drover-bundle"

// maxStack ends what nests too deeply before it has taken the memory of a build.
const maxStack = 256 << 20

// maxRequest and MaxAnswer are the most bytes of what goes in and comes out.
const (
	maxRequest = 64 << 10
	MaxAnswer  = 1 << 20
)

func init() {
	if len(os.Args) == 0 || strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") != Name {
		return
	}
	debug.SetMaxStack(maxStack)
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve is all that the process does.
func serve(in io.Reader, out io.Writer) error {
	var r Request
	if err := json.NewDecoder(io.LimitReader(in, maxRequest)).Decode(&r); err != nil {
		return fmt.Errorf("bundler: the request cannot be read: %w", err)
	}
	return json.NewEncoder(out).Encode(bundle(r))
}
