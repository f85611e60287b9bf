package secrets

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// One-time passwords are values that change. The codes of the period before, of
// this one and the next, and those that were made of late, are taken out of texts
// like other values, where they stand as numbers of their own.

// freshTime is how long a code has to be good for when it is typed.
const freshTime = 5 * time.Second

// maxMade is how many codes of a variable are remembered that were made.
const maxMade = 32

type madeCode struct{ text, name string }

// codeMaker is a variable that yields codes.
type codeMaker struct {
	name string
	*TOTP
}

// code is what a variable yields now.
func (v *Vault) code(name string) string {
	text := v.vars[name].TOTP.at(v.clock.Now())
	v.mu.Lock()
	defer v.mu.Unlock()
	v.remember(madeCode{text, name})
	return text
}

// Stale returns how long to wait before the text is resolved, so that each code
// in it is good for some seconds; 0 for not at all.
func (v *Vault) Stale(text string) (wait time.Duration) {
	for _, name := range v.used(text) {
		if t := v.vars[name].TOTP; t != nil {
			if left := t.left(v.clock.Now()); left < freshTime {
				wait = max(wait, left)
			}
		}
	}
	return wait
}

// codes is what finds the codes of now in a text; nil where there are none to make.
func (v *Vault) codes() *net {
	now := v.clock.Now()
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.totps) == 0 {
		return nil
	}
	key := fmt.Sprint(v.makes)
	for _, t := range v.totps {
		key += fmt.Sprint(" ", t.count(now))
	}
	if v.codeNet == nil || v.codesOf != key {
		v.codeNet, v.codesOf = newCodeNet(v.recent(now), v.totps), key
	}
	return v.codeNet
}

// recent are the codes that are looked for at a moment.
func (v *Vault) recent(now time.Time) []madeCode {
	all := slices.Clone(v.made)
	for _, t := range v.totps {
		for near := -1; near <= 1; near++ {
			all = append(all, madeCode{t.at(now.Add(time.Duration(near) * t.period)), t.name})
		}
	}
	return all
}

func newCodeNet(codes []madeCode, makers []codeMaker) *net {
	n := &net{}
	for _, t := range makers {
		n.names = append(n.names, Placeholder(t.name))
	}
	for _, c := range codes {
		p := pattern{text: c.text, placeholder: Placeholder(c.name), rule: asNumber}
		n.plain.add(p)
		n.loose.add(p)
	}
	return n
}

// byItself reports whether no digit stands beside the text.
func byItself(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !isDigit(before) && !isDigit(after)
}

func isDigit(r rune) bool { return strings.ContainsRune("0123456789", r) }
