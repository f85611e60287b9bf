package visible

import (
	"embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// files are the lists of what elements are called, and of what headings and
// lines say.
//
//go:embed lexicon/*.txt
var files embed.FS

// phrasesOf has the words of lists, and listsOf the lists that a word is in.
var (
	phrasesOf = lexicon.Phrases(files, "structure", "offers", "labels")
	listsOf   = lexicon.Lists(phrasesOf)
)

// is reports whether a word is in a list.
func is(list, word string) bool { return slices.Contains(listsOf(word), list) }

// maxName is how long the name of a field is at most, in bytes. What is longer
// is a sentence.
const maxName = mention.MaxLabel

// maxMoney is how long an amount of money is at most, and what else is as short,
// in bytes.
const maxMoney = 40

// attr returns the value of an attribute, in valid UTF-8.
func attr(n *html.Node, key string) string { return valid(tree.AttrOr(n, key)) }

// valid returns a text in valid UTF-8, as it is if it is that, which most are.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// oneLine returns a text without its line breaks.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

func countWords(s string) int { return len(strings.Fields(s)) }

// hasWords reports whether s has a letter or a digit.
func hasWords(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

func startsUpper(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(c) || unicode.Is(unicode.Lo, c)
}
