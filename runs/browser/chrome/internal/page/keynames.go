package page

import (
	"cmp"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/chromedp/kb"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// A stroke is one key with those that are held meanwhile.
type stroke struct {
	held browser.Modifiers
	key  *kb.Key // nil where only the held ones are pressed
	hold time.Duration
}

// maxStrokes bounds the keys of one call.
const maxStrokes = 200

// modifierNames are the keys that are held, in small letters.
var modifierNames = map[string]browser.Modifiers{
	"alt": browser.Alt, "option": browser.Alt, "opt": browser.Alt,
	"control": browser.Control, "ctrl": browser.Control, "ctl": browser.Control,
	"meta": browser.Meta, "cmd": browser.Meta, "command": browser.Meta, "win": browser.Meta, "windows": browser.Meta, "super": browser.Meta,
	"shift":         browser.Shift,
	"controlormeta": controlOrMeta(), "mod": controlOrMeta(), "cmdorctrl": controlOrMeta(), "commandorcontrol": controlOrMeta(),
}

// controlOrMeta is the key of the system's shortcuts.
func controlOrMeta() browser.Modifiers {
	if runtime.GOOS == "darwin" {
		return browser.Meta
	}
	return browser.Control
}

// otherNames are how people call keys that KeyboardEvent.key calls otherwise.
var otherNames = map[string]string{
	"esc": "Escape", "return": "Enter", "kpenter": "Enter", "numpadenter": "Enter", "newline": "Enter",
	"del": "Delete", "back": "Backspace", "bksp": "Backspace", "ins": "Insert",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"uparrow": "ArrowUp", "downarrow": "ArrowDown", "leftarrow": "ArrowLeft", "rightarrow": "ArrowRight",
	"pgup": "PageUp", "pgdn": "PageDown", "pgdown": "PageDown", "prior": "PageUp", "next": "PageDown",
	"space": " ", "spacebar": " ", "plus": "+", "minus": "-", "menu": "ContextMenu", "apps": "ContextMenu",
}

// namedKeys are the keys with names, by those in small letters.
var namedKeys = func() map[string]*kb.Key {
	byName := map[string]*kb.Key{}
	for r, k := range kb.Keys {
		if utf8.RuneCountInString(k.Key) > 1 && (r < 0x1100) {
			byName[strings.ToLower(k.Key)] = k
		}
	}
	for alias, name := range otherNames {
		k, ok := byName[strings.ToLower(name)]
		if !ok {
			r, _ := utf8.DecodeRuneInString(name)
			k = kb.Keys[r]
		}
		byName[alias] = k
	}
	return byName
}()

// strokes reads keys as Press takes them.
func strokes(keys string) ([]stroke, error) {
	words := strings.Fields(keys)
	if len(words) == 0 && keys != "" {
		words = []string{"Space"}
	}
	if len(words) == 0 || len(words) > maxStrokes {
		return nil, errtypes.New(errtypes.Invalid, "keys must be 1 to %d keys, such as Enter or Control+A, with spaces between", maxStrokes)
	}
	all := make([]stroke, len(words))
	for i, word := range words {
		var err error
		if all[i], err = strokeOf(word); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// strokeOf reads one key with what is held, as in Control+Shift+K.
func strokeOf(word string) (st stroke, err error) {
	held, name := splitKeys(word)
	for _, h := range held {
		m, ok := modifierNames[strings.ToLower(h)]
		if !ok {
			return st, errtypes.New(errtypes.Invalid, "%q in %q is no key to hold; those are Control, Shift, Alt and Meta", cutKey(h), cutKey(word))
		}
		st.held |= m
	}
	if m, ok := modifierNames[strings.ToLower(name)]; ok {
		st.held |= m
		return st, nil
	}
	if st.key = keyOf(name, st.held); st.key == nil {
		return st, unknownKey(name)
	}
	return st, nil
}

// splitKeys tells the keys that are held from the last one, which may be + itself.
// A minus between is forgiven.
func splitKeys(word string) (held []string, name string) {
	if utf8.RuneCountInString(word) == 1 {
		return nil, word
	}
	if first, _, ok := strings.Cut(word, "-"); ok && modifierNames[strings.ToLower(first)] != 0 && !strings.Contains(word, "+") {
		word = strings.ReplaceAll(word, "-", "+")
	}
	if rest, ok := strings.CutSuffix(word, "+"); ok {
		return strings.Split(strings.TrimSuffix(rest, "+"), "+"), "+"
	}
	parts := strings.Split(word, "+")
	return parts[:len(parts)-1], parts[len(parts)-1]
}

// keyOf finds a key by its name; nil if there is none. A letter that is pressed
// with others is the one that they make of it.
func keyOf(name string, held browser.Modifiers) *kb.Key {
	r, size := utf8.DecodeRuneInString(name)
	if size == len(name) && r != utf8.RuneError && unicode.IsPrint(r) {
		return characterKey(r, held)
	}
	low := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if code, ok := strings.CutPrefix(low, "key"); ok && len(code) == 1 {
		return characterKey(rune(code[0]), held)
	}
	if code, ok := strings.CutPrefix(low, "digit"); ok && len(code) == 1 {
		return characterKey(rune(code[0]), held)
	}
	return namedKeys[low]
}

func characterKey(r rune, held browser.Modifiers) *kb.Key {
	switch {
	case held&browser.Shift != 0:
		r = unicode.ToUpper(r)
	case held != 0:
		r = unicode.ToLower(r)
	}
	k, ok := kb.Keys[r]
	if !ok {
		return &kb.Key{Key: string(r), Text: string(r), Unmodified: string(r), Print: true}
	}
	if held&browser.Shift != 0 && !k.Shift {
		for _, other := range kb.Keys { // what is above it
			if other.Shift && other.Code == k.Code {
				return other
			}
		}
	}
	return k
}

// unknownKey names the keys that are most like one that is none.
func unknownKey(name string) error {
	low := strings.ToLower(name)
	near := slices.Collect(maps.Keys(namedKeys))
	near = slices.DeleteFunc(near, func(n string) bool { return distance(low, n) > 2 && !strings.HasPrefix(n, low) })
	slices.SortFunc(near, func(a, b string) int { return cmp.Or(distance(low, a)-distance(low, b), strings.Compare(a, b)) })
	var like []string
	for _, n := range near {
		if key := namedKeys[n].Key; !slices.Contains(like, key) && len(like) < 3 && strings.TrimSpace(key) != "" {
			like = append(like, key)
		}
	}
	hint := "keys are named as in KeyboardEvent.key: Enter, Escape, ArrowDown, a, F2"
	if len(like) > 0 {
		hint = "did you mean " + strings.Join(like, " or ") + "?"
	}
	return errtypes.New(errtypes.Invalid, "there is no key %q; %s (text is typed, not pressed)", cutKey(name), hint)
}

// cutKey bounds a name that is quoted.
func cutKey(name string) string { return Clean(name, 30) }

// distance is how many letters have to be changed, put in or left out.
func distance(a, b string) int {
	if len(a) > 30 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
