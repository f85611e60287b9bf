package extensions

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// The permission debugger is the host's choice, which it may change.
func TestTheDebuggerIsTheHostsChoice(t *testing.T) {
	t.Parallel()
	k := open(t, Config{Debugger: true})
	for _, key := range []string{"permissions", "optional_permissions"} {
		archive := withManifest(t, strings.TrimSuffix(goodManifest, "}")+`,"`+key+`":["tabs","debugger"]}`)
		k.conf.Debugger = true
		e := k.upload(t, archive)
		if err := k.Unpack(t.Context(), e.ID, t.TempDir()); err != nil {
			t.Error(err)
		}
		k.conf.Debugger = false
		_, uploaded := k.Upload(t.Context(), Upload{Content: bytes.NewReader(archive)})
		dir := t.TempDir()
		for what, err := range map[string]error{"upload": uploaded, "unpack": k.Unpack(t.Context(), e.ID, dir)} {
			var field *errtypes.Error
			if !errors.As(err, &field) || field.Kind != errtypes.Invalid || field.Field != "file" || !strings.Contains(field.Message, `permission "debugger"`) {
				t.Errorf("%s, %s: %v", key, what, err)
			}
		}
		if files := tree(t, dir); len(files) > 0 {
			t.Errorf("unpacked all the same: %v", files)
		}
	}
}
