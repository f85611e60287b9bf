// Package secrets holds the values of a run's variables: it puts them where
// the caller wants them and takes them out of everything else.
//
// A value is known outside of it only by its placeholder, %name%. The rules
// are those of DECISIONS 16; forms.go says how a value is recognised.
package secrets

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/drover-go/drover/internal/clock"
)

// MinSearched is the length in characters below which a value is not searched
// for in other text: it would turn up by chance and spoil what it is found in.
const MinSearched = 4

// Vault holds the values of one run. A nil Vault holds none. It is safe for
// use by several goroutines.
type Vault struct {
	vars  map[string]Variable
	clock clock.Clock

	mu      sync.Mutex
	learned map[string][]string // what is to be taken out beside the values
	totps   []codeMaker
	heirs   []*Vault // which include this one
	// nets take values out of texts: everywhere every one, ours all but those that
	// could be words of Drover's own output. Both are made when they are first needed:
	// a run that waits holds its values only.
	everywhereNet, oursNet *net
	made                   []madeCode // the newest codes
	makes                  int        // how many were made
	codeNet                *net       // what takes codes out; nil before there is one
	codesOf                string     // what it is of
}

// Variable is what a vault holds under a name.
type Variable struct {
	// Value is what the placeholder stands for, or the secret of TOTP.
	Value string
	// Origins are where it may go. Default anywhere.
	Origins []Origin
	// TOTP makes the codes that the placeholder stands for. Default nil: it
	// stands for Value.
	TOTP *TOTP
}

// New returns a vault for values by variable name, which may go anywhere.
func New(values map[string]string) *Vault {
	vars := map[string]Variable{}
	for name, value := range values {
		vars[name] = Variable{Value: value}
	}
	return NewVault(vars, clock.System())
}

// NewVault returns a vault for variables by name, whose codes are those of the
// clock.
func NewVault(vars map[string]Variable, c clock.Clock) *Vault {
	v := &Vault{vars: maps.Clone(vars), clock: c}
	for _, name := range v.names() {
		if t := vars[name].TOTP; t != nil {
			v.totps = append(v.totps, codeMaker{name, t})
		}
	}
	return v
}

func (v *Vault) everywhere() *net { return v.net(&v.everywhereNet, outside) }
func (v *Vault) ours() *net       { return v.net(&v.oursNet, own) }

func (v *Vault) net(n **net, u use) *net {
	v.mu.Lock()
	defer v.mu.Unlock()
	if *n == nil {
		*n = newNet(v.known(), u)
	}
	return *n
}

// Learn has a text taken out from now on like the value of a variable: what a
// person has typed, say. The name stands in its place, as a placeholder; it
// resolves to nothing.
func (v *Vault) Learn(name, text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.learn(map[string][]string{name: {text}})
	for _, heir := range v.heirs {
		heir.Learn(name, text)
	}
}

// learn adds what is not known yet.
func (v *Vault) learn(all map[string][]string) {
	for name, texts := range all {
		for _, text := range texts {
			if slices.Contains(v.learned[name], text) {
				continue
			}
			if v.learned == nil {
				v.learned = map[string][]string{}
			}
			v.learned[name] = append(v.learned[name], text)
			v.everywhereNet.learn(name, []string{text})
			v.oursNet.learn(name, []string{text})
		}
	}
}

// plainWord is what Drover's own output, the markers around a page, its
// references and counts and the keys of JSON, may consist of.
var plainWord = regexp.MustCompile(`^([a-z]+|(?i:([a-z]?[0-9]+)+))$`)

// Placeholder returns what stands for the value of a variable.
func Placeholder(name string) string { return "%" + name + "%" }

// Redact returns text from outside without any value in it.
func (v *Vault) Redact(text string) string {
	if v == nil {
		return text
	}
	return v.codes().clean(v.everywhere().clean(text))
}

// RedactOutput is Redact for text that was put together from redacted pieces:
// a second net. It leaves values that are one lower-case word or a number,
// because those in between are Drover's own, and finds values that a page has
// spread over neighbouring lines of an outline.
func (v *Vault) RedactOutput(text string) string {
	if v == nil {
		return text
	}
	text = v.everywhere().acrossLines(v.ours().clean(text), outlineName)
	if codes := v.codes(); codes != nil { // which pages spread over fields of a digit each
		text = codes.acrossLines(codes.clean(text), outlineValue)
	}
	return text
}

// Longest returns the length in bytes of the longest text that Redact takes
// out. Who cuts a text before redacting it must drop so much more at the cut.
func (v *Vault) Longest() int {
	if v == nil {
		return 0
	}
	return longestEscape * v.everywhere().longestText()
}

// Empty reports whether there are no variables.
func (v *Vault) Empty() bool { return v == nil || len(v.vars) == 0 }

// Knows reports whether there is anything to take out: variables, or what was
// learned or is included.
func (v *Vault) Knows() bool {
	if v == nil {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.vars)+len(v.learned)+len(v.totps) > 0
}

// String keeps a vault that is printed by mistake from showing its values.
func (v *Vault) String() string {
	if v == nil {
		return "no variables"
	}
	return fmt.Sprintf("%d variables", len(v.vars))
}

// GoString does the same for %#v.
func (v *Vault) GoString() string { return v.String() }
