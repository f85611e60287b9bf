package chrome

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/extensions"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// extension is an unpacked one.
type extension struct {
	dir string // resolved
	// ids are those that the browser knows it by: that of its directory, by which
	// it looks up what it may do while it loads it, and that of the key in its
	// manifest, if there is one, by which it does afterwards.
	ids []string
}

// readExtensions resolves the directories of a session's extensions. Error
// kind Invalid.
func readExtensions(dirs []string) (all []extension, err error) {
	for _, dir := range dirs {
		e, err := readExtension(dir)
		if err != nil {
			return nil, errtypes.Field("extensions", "must be directories of extensions that are there, by their absolute paths").WithCause(err)
		}
		all = append(all, e)
	}
	return all, nil
}

func readExtension(dir string) (extension, error) {
	if !filepath.IsAbs(dir) {
		return extension{}, errors.New("the path is not absolute")
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return extension{}, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return extension{}, err
	}
	var manifest map[string]any // the browser tells upper from lower case, and fields of a struct do not
	if err := json.Unmarshal(text, &manifest); err != nil {
		return extension{}, err
	}
	e := extension{dir, []string{extensionID([]byte(dir))}}
	text64, there := manifest["key"].(string)
	if !there {
		return e, nil
	}
	key, err := base64.StdEncoding.DecodeString(text64)
	if err != nil {
		return extension{}, err
	}
	e.ids = append(e.ids, extensionID(key))
	return e, nil
}

// maxRefusal is how much of what the browser says of an extension is passed on,
// in characters.
const maxRefusal = 500

// refusal is what the browser says, without where the extension lies. Names
// and values in it are the extension's.
func (e extension) refusal(said *cdproto.Error) string {
	text := strings.ReplaceAll(strings.ReplaceAll(said.Message, e.dir+string(os.PathSeparator), ""), e.dir, "the extension")
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "�"), func(r rune) bool { return !unicode.IsPrint(r) }), " ")
	if all := []rune(text); len(all) > maxRefusal {
		return string(all[:maxRefusal]) + "…"
	}
	return text
}

// extensionID is what Chromium calls an extension: the first half of the hash
// of its key, or of its path where it has none, in digits from a to p.
func extensionID(of []byte) string {
	sum := sha256.Sum256(of)
	id := make([]byte, 0, 32)
	for _, b := range sum[:16] {
		id = append(id, 'a'+b>>4, 'a'+b&15)
	}
	return string(id)
}

// Loaded reports whether the session has loaded an extension of that id.
func (s *session) Loaded(id string) bool {
	return s.dedicated != nil && slices.ContainsFunc(s.dedicated.extensions, func(e extension) bool { return slices.Contains(e.ids, id) })
}

// closedPages are those that an extension can open and a page cannot: files of
// the machine, and the browser's own pages, where a client of the session could
// give the extension rights that it is not to have, or load another one. So
// could the shop for extensions.
var closedPages = []string{
	"file://*", "chrome://*", "chrome-untrusted://*", "devtools://*", "view-source:*",
	"chromewebstore.google.com", "chrome.google.com/webstore",
}

// extensionPreferences keep extensions within the session. What an earlier
// session has left of its own is replaced: the browser would load it again from
// where it was. Without extensions there are none.
func extensionPreferences(all []extension) map[string]map[string]any {
	if len(all) == 0 {
		return nil
	}
	settings := map[string]any{}
	for _, e := range all {
		for _, id := range e.ids {
			settings[id] = map[string]any{"newAllowFileAccess": false} // or unpacked ones read files
		}
	}
	return map[string]map[string]any{
		"extensions": {"settings": settings},
		"policy":     {"url_blocklist": closedPages},
		"incognito":  {"mode_availability": 1}, // none: its pages would be in no session
	}
}

// loadExtensions loads the session's extensions, before it has a page. Error
// kind Invalid for one that the browser refuses.
func (s *session) loadExtensions(ctx context.Context) error {
	for _, e := range s.dedicated.extensions {
		res, err := cdp.Call(ctx, s.process().Browser(), extensions.LoadUnpacked, extensions.LoadUnpackedParams{Path: e.dir})
		if refused := (*cdproto.Error)(nil); errors.As(err, &refused) {
			return errtypes.Field("extensions", "are refused by the browser").WithCause(errors.Join(&browser.ExtensionRefused{Reason: e.refusal(refused)}, err))
		}
		if err != nil {
			return err
		}
		if last := e.ids[len(e.ids)-1]; res.ID != last { // what keeps it from files would be about another one
			return errtypes.New(errtypes.Unavailable, "the browser cannot keep the extension apart").WithCause(errors.New(res.ID + " is not " + last))
		}
	}
	return nil
}

// Extensions are the session's extensions as the browser knows them. Where
// they lie is nothing for clients.
func (s *session) Extensions(ctx context.Context) ([]*extensions.ExtensionInfo, error) {
	list := []*extensions.ExtensionInfo{}
	if len(s.dedicated.extensions) == 0 {
		return list, nil // it has none, and no such command either
	}
	res, err := cdp.Call(ctx, s.process().Browser(), extensions.GetExtensions, cdp.Empty{})
	for _, info := range res.Extensions {
		if s.Loaded(info.ID) {
			info.Path = ""
			list = append(list, info)
		}
	}
	return list, err
}
