package names

import (
	"embed"

	"github.com/drover-go/drover/internal/lexicon"
)

//go:embed lexicon/*.txt
var files embed.FS

func entriesOf(list string) []lexicon.Entry { return lexicon.Read(files, list) }

func listed(list string) func() map[string][]string { return lexicon.Listed(files, list) }
