package secrets

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// nameForm is what a variable may be called.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// ValidName reports whether a variable may have the name: 1 to 64 letters,
// digits, "_" and "-".
func ValidName(name string) bool { return nameForm.MatchString(name) }

var placeholder = regexp.MustCompile(`%([A-Za-z0-9_-]{1,64})%`)

// unknownName is what is taken for a misspelt variable. Other text between
// percent signs ("50%25%") is left alone.
var unknownName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// UnknownError is a placeholder that stands for nothing.
type UnknownError struct {
	Name string
	// Known are the names that there are, sorted.
	Known []string
}

func (e *UnknownError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("there is no variable %s; the run has none", Placeholder(e.Name))
	}
	return fmt.Sprintf("there is no variable %s; there are %%%s%%", Placeholder(e.Name), strings.Join(e.Known, "%, %"))
}

// Resolve puts the values in place of their placeholders. used reports whether
// there were any. The error is an [UnknownError].
func (v *Vault) Resolve(text string) (resolved string, used bool, err error) {
	return v.resolve(text, func(_ int, value string) string { return value })
}

// resolve replaces each placeholder by put(its place, its value). It looks for
// them from the left: in "%a%b%" there is one.
func (v *Vault) resolve(text string, put func(at int, value string) string) (_ string, used bool, err error) {
	var b strings.Builder
	done := 0
	for done < len(text) {
		m := placeholder.FindStringSubmatchIndex(text[done:])
		if m == nil {
			break
		}
		from, to, name := done+m[0], done+m[1], text[done+m[2]:done+m[3]]
		value, known := v.value(name)
		switch {
		case known:
			b.WriteString(text[done:from])
			b.WriteString(put(from, value))
			done, used = to, true
		case unknownName.MatchString(name) && !isEscape(text[from:]):
			return "", false, &UnknownError{Name: name, Known: v.names()}
		default: // a lone percent sign; the next may begin a placeholder
			b.WriteString(text[done : to-1])
			done = to - 1
		}
	}
	b.WriteString(text[done:])
	return b.String(), used, nil
}

var percentEscape = regexp.MustCompile(`^%[0-9A-Fa-f]{2}`)

// isEscape reports whether text begins like a byte in an address ("%C3%").
func isEscape(text string) bool { return percentEscape.MatchString(text) }

func (v *Vault) value(name string) (string, bool) {
	if v == nil {
		return "", false
	}
	x, ok := v.vars[name]
	if ok && x.TOTP != nil {
		return v.code(name), true
	}
	return x.Value, ok
}

func (v *Vault) names() []string {
	if v == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(v.vars))
}

// Uses reports whether text has a placeholder of the vault in it.
func (v *Vault) Uses(text string) bool { return len(v.used(text)) > 0 }

// used are the names of the variables whose placeholders the text may have in it.
func (v *Vault) used(text string) (names []string) {
	if v == nil {
		return nil
	}
	for name := range v.vars {
		if strings.Contains(text, Placeholder(name)) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// ErrNotInTask is a placeholder at a place where the task has none: only the
// caller may say that a value becomes part of an address.
type ErrNotInTask struct{ Text string }

func (e *ErrNotInTask) Error() string {
	return fmt.Sprintf("%q has a variable in it that the task does not put there; variables can only be typed into fields", e.Text)
}

// ResolveURL puts values into an address, escaped as their place needs. It
// refuses an address with placeholders that does not stand in the task like
// that: a page could otherwise talk a model into sending a value away.
func (v *Vault) ResolveURL(address, task string) (resolved string, err error) {
	if !v.Uses(address) {
		return address, nil
	}
	if !v.Stands(address, task) {
		return "", &ErrNotInTask{Text: address}
	}
	resolved, _, err = v.resolve(address, func(at int, value string) string {
		return escapeAt(address[:at], value)
	})
	return resolved, err
}

// Stands reports whether the task contains the text as a word of its own or in
// quotes. An address may have got a scheme before it or a slash behind it.
func (v *Vault) Stands(text, task string) bool {
	want := bareAddress(text)
	return slices.ContainsFunc(strings.FieldsFunc(task, isDelimiter), func(word string) bool {
		return bareAddress(word) == want
	}) || quotedIn(text, task)
}

func quotedIn(text, task string) bool {
	for _, q := range []string{`""`, `''`, "“”", "‘’", "``", "«»"} {
		marks := []rune(q)
		if strings.Contains(task, string(marks[0])+text+string(marks[1])) {
			return true
		}
	}
	return false
}

func isDelimiter(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`“”‘’«»<>()", r) }

func bareAddress(s string) string {
	s = strings.TrimRight(s, ".,;:!?")
	for _, scheme := range []string{"https://", "http://"} {
		if len(s) > len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			s = s[len(scheme):]
			break
		}
	}
	return strings.TrimSuffix(s, "/")
}

// escapeAt escapes a value for the part of an address that follows before.
func escapeAt(before, value string) string {
	_, rest, hasScheme := strings.Cut(before, "://")
	switch {
	case strings.ContainsAny(before, "?#"):
		return url.QueryEscape(value)
	case hasScheme && strings.Contains(rest, "/"):
		return url.PathEscape(value)
	case !hasScheme && strings.Contains(before, "/"):
		return url.PathEscape(value)
	}
	return value // the address itself, or its host
}
