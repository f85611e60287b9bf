package mention

import "embed"

//go:embed lexicon/*.txt
var files embed.FS
