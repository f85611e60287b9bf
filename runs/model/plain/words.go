package plain

import (
	"embed"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/drover-go/drover/internal/lexicon"
)

// The words of the language of steps and the forms of its sentences.
//
//go:embed lexicon/*.txt
var files embed.FS

// lists are words by what they are for. A name behind @ stands for the words of
// that list, which is above.
var lists = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, e := range lexicon.Read(files, "words") {
		for _, w := range e.Words {
			if name, ok := strings.CutPrefix(w, "@"); ok {
				all[e.Name] = append(all[e.Name], all[name]...)
			} else {
				all[e.Name] = append(all[e.Name], strings.ReplaceAll(w, "_", " "))
			}
		}
	}
	return all
})

// Words with one meaning each; see the files.
var (
	verbs     = lexicon.Listed(files, "verbs")
	regions   = lexicon.Listed(files, "regions")
	roleWords = lexicon.ByWord(files, "roles")
	keyWords  = lexicon.ByWord(files, "keys")
	wayWords  = lexicon.ByWord(files, "ways")
	numerals  = lexicon.ByWord(files, "numbers")
	ownWords  = lexicon.ByWord(files, "own")
)

// is reports whether a word is in one of the lists.
func is(word string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(lists()[name], word) })
}

// entry is a phrase as the files write it; empty for one with an underscore of
// its own, which they do not have.
func entry(phrase string) string {
	if strings.Contains(phrase, "_") {
		return ""
	}
	return strings.ReplaceAll(strings.ToLower(phrase), " ", "_")
}

// ordinal is the number that a word chooses one of several by: -1 for the last, 0
// for no such word.
func ordinal(word string) int {
	if word == "last" {
		return -1
	}
	return (slices.Index(lists()["ordinals"], word) + 2) / 2
}

// saysSomething reports whether a token is more than a mark between words.
func saysSomething(t token) bool {
	return !t.isMark() && (t.isValue() || strings.ContainsFunc(t.text, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("&=#+%€$£", r)
	}))
}

// leftOver says which words are more than can be followed: those that say
// something and are in none of the lists. It is empty for none.
func leftOver(tokens []token, lists ...string) string {
	var words []string
	for _, t := range tokens {
		if saysSomething(t) && (t.lower() == "" || !is(t.lower(), lists...)) {
			words = append(words, t.text)
		}
	}
	if len(words) == 0 {
		return ""
	}
	return "it says more than can be followed: " + strings.Join(words, " ")
}

// skip leaves out the words of the lists at the beginning.
func skip(tokens []token, lists ...string) []token {
	for len(tokens) > 0 && is(tokens[0].lower(), lists...) {
		tokens = tokens[1:]
	}
	return tokens
}

// skipBack leaves out the words of the lists at the end.
func skipBack(tokens []token, lists ...string) []token {
	for n := len(tokens); n > 0 && is(tokens[n-1].lower(), lists...); n-- {
		tokens = tokens[:n-1]
	}
	return tokens
}

// maxPhrase is how many words a verb has at most.
const maxPhrase = 5

// verbAt returns the verb that the tokens begin with and how many words it has.
func verbAt(tokens []token) (v verb, n int) {
	if v, n = answerAt(tokens); n > 0 {
		return v, n
	}
	said := ""
	for _, t := range tokens[:min(len(tokens), maxPhrase)] {
		said += t.lower() + " "
	}
	for name, phrases := range verbs() {
		for _, phrase := range phrases {
			if words := strings.Split(phrase, "_"); len(words) > n && strings.HasPrefix(said, strings.Join(words, " ")+" ") {
				v, n = verb(name), len(words)
			}
		}
	}
	return v, n
}

// answers are the verbs that answer a dialog.
var answers = []verb{"accept", "answer", "dismiss"}

// answerAt returns the verb of an answer to a dialog, and where that is said to be
// to one: dismiss the confirm dialog.
func answerAt(tokens []token) (v verb, n int) {
	for _, v := range answers {
		if len(tokens) == 0 || !is(tokens[0].lower(), string(v)) {
			continue
		}
		kinds := skip(tokens[1:], "dialogKinds", "dialogs")
		for n := len(tokens) - len(kinds); n > 1; n-- {
			if is(tokens[n-1].lower(), "dialogs") {
				return v, n
			}
		}
	}
	return noVerb, 0
}
