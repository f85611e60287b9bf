package policy

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// The clipboard is the browser's: what a page copies, every page of every
// session could paste. So sessions that share a browser may copy, and not paste.

var errClipboard = errors.New("the clipboard is that of all sessions in the browser; " +
	"insert the text (Input.insertText), or ask for a session with a process of its own (browserSettings.ownProcess)")

var errMiddle = errors.New("the middle button pastes what pages of all sessions in the browser have selected; " +
	"ask for a session with a process of its own (browserSettings.ownProcess)")

// noClipboard refuses the permission to read the clipboard, or to write it
// unasked.
func noClipboard(p *Params, w World) error {
	if w.Alone() {
		return nil
	}
	var one struct{ Name string }
	if err := p.decodeGiven("permission", &one); err != nil {
		return err
	}
	if aboutClipboard(one.Name) {
		return errClipboard
	}
	return nil
}

// Grantable tells the permissions that a session which shares its browser may
// be given from those that it may not, and why.
func Grantable(permissions []string) (may, not []string, why error) {
	for _, name := range permissions {
		if aboutClipboard(name) {
			not = append(not, name)
		} else {
			may = append(may, name)
		}
	}
	return may, not, errClipboard
}

func aboutClipboard(permission string) bool {
	return strings.Contains(strings.ToLower(permission), "clipboard")
}

// noMiddle refuses the middle button where pasting is refused: it pastes what
// any page has selected.
func noMiddle(p *Params, w World) error {
	if w.Alone() {
		return nil
	}
	const middle = 4 // among buttons
	var button string
	var buttons int64
	if err := cmp.Or(p.decodeGiven("button", &button), p.decodeGiven("buttons", &buttons)); err != nil {
		return err
	}
	if strings.EqualFold(button, "middle") || buttons&middle != 0 {
		return errMiddle
	}
	return nil
}

// key is what of a key event makes it the one that pastes.
type key struct {
	modifiers         int64
	code, key         string
	virtual, virtual2 int64
}

// Bits of modifiers, and codes of keys.
const (
	ctrl, meta, shift = 2, 4, 8
	virtualV          = 'V'
	virtualInsert     = 45
)

// pastes reports whether a browser takes the key for the one that pastes, on
// any system. It looks at every name of the key: one is enough.
func (k key) pastes() bool {
	is := func(code, name string, virtual int64) bool {
		return k.code == code || strings.EqualFold(k.key, name) || k.virtual == virtual || k.virtual2 == virtual
	}
	switch {
	case strings.EqualFold(k.key, "Paste") || k.code == "Paste":
		return true
	case k.modifiers&(ctrl|meta) != 0:
		return is("KeyV", "v", virtualV)
	case k.modifiers&shift != 0:
		return is("Insert", "Insert", virtualInsert)
	}
	return false
}

// noPaste refuses key events that paste, by their key or by the editing
// commands that they carry.
func noPaste(p *Params, w World) error {
	if w.Alone() {
		return nil
	}
	var k key
	var commands []string
	for name, into := range map[string]any{
		"modifiers": &k.modifiers, "code": &k.code, "key": &k.key,
		"windowsVirtualKeyCode": &k.virtual, "nativeVirtualKeyCode": &k.virtual2, "commands": &commands,
	} {
		if err := p.decodeGiven(name, into); err != nil {
			return err
		}
	}
	if k.pastes() || slices.ContainsFunc(commands, isPaste) {
		return errClipboard
	}
	return nil
}

func isPaste(command string) bool { return strings.Contains(strings.ToLower(command), "paste") }

// decodeGiven is Decode for a parameter that may be absent.
func (p *Params) decodeGiven(key string, into any) error {
	if !p.Has(key) {
		return nil
	}
	return p.Decode(key, into)
}
