package extensions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/limit"
)

// filled are limits with their defaults.
func filled(l Limits) Limits {
	limit.Fill(l.values()...)
	return l
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	l := filled(Limits{MaxFiles: 8, MaxUnpacked: 20 << 20, MaxPath: 300, MaxDepth: 5})
	file := func(name string) []byte { return withManifest(t, goodManifest, entry{name: name, content: "x"}) }
	manifest := func(text string) []byte { return withManifest(t, text) }
	with := func(more string) []byte { return manifest(strings.TrimSuffix(goodManifest, "}") + "," + more + "}") }
	good := withManifest(t, goodManifest, entry{name: "a.js", content: "some text", store: true})
	for name, c := range map[string]struct {
		archive []byte
		says    string
	}{
		"empty":                  {nil, "must be a ZIP or CRX archive"},
		"no archive":             {[]byte("hello there, this is no archive"), "must be a ZIP or CRX archive"},
		"half an archive":        {good[:len(good)/2], "must be a ZIP or CRX archive"},
		"a changed byte":         {bytes.Replace(good, []byte("some text"), []byte("some test"), 1), `is damaged: "a.js" cannot be unpacked`},
		"a short CRX":            {[]byte("Cr24"), "header breaks off"},
		"a CRX that is cut":      {crx(3, []uint32{1 << 31}, nil, good), "header breaks off"},
		"an unknown CRX":         {crx(4, []uint32{0, 0}, nil, good), "unknown version"},
		"a CRX without archive":  {crx(3, []uint32{0}, nil, []byte("no archive")), "must be a ZIP or CRX archive"},
		"a CRX without key":      {crx(3, []uint32{0}, nil, good), "no key"},
		"a CRX of another id":    {crx3(good, []byte("other"), proof(2, "key"), proof(3, "shop")), "no key"},
		"a CRX of an empty key":  {crx3(good, []byte(""), proof(2, "")), "no key"},
		"a CRX of a long key":    {crx3(good, []byte(strings.Repeat("k", 4097)), proof(2, strings.Repeat("k", 4097))), "no key"},
		"a CRX 2 without key":    {crx(2, []uint32{0, 3}, []byte("abc"), good), "no key"},
		"a CRX that is no proto": {crx(3, []uint32{5}, []byte("proto"), good), "header is damaged"},
		"a CRX of a long header": {crx(3, []uint32{1<<20 + 1}, make([]byte, 1<<20+1), good), "header is damaged or has more than 1048576 bytes"},
		"no manifest":            {zipped(t, entry{name: "a.js"}), "has no manifest.json at its root"},
		"a manifest elsewhere":   {zipped(t, entry{name: "dir/manifest.json", content: goodManifest}), `but "dir/manifest.json"`},
		"a directory manifest":   {zipped(t, entry{name: "manifest.json/", mode: fs.ModeDir | 0o755}), "has no manifest.json at its root"},
		"broken JSON":            {manifest(`{"name":`), "not a JSON object"},
		"a comment without end":  {manifest(goodManifest[:20] + "/*"), "not a JSON object"},
		"null":                   {manifest("null"), "not a JSON object"},
		"a list":                 {manifest("[]"), "not a JSON object"},
		"two objects":            {manifest(goodManifest + goodManifest), "something behind"},
		"a large manifest":       {manifest(goodManifest + strings.Repeat(" ", maxManifest)), "more than 1048576 bytes"},
		"no manifest_version":    {manifest(`{"name":"x","version":"1"}`), "without a manifest_version"},
		"manifest_version 2":     {manifest(`{"manifest_version":2,"name":"x","version":"1"}`), "ceased to load"},
		"manifest_version 4":     {manifest(`{"manifest_version":4,"name":"x","version":"1"}`), "is not 3"},
		"a text for it":          {manifest(`{"manifest_version":"3","name":"x","version":"1"}`), "without a manifest_version"},
		"other letters":          {manifest(`{"Manifest_Version":3,"name":"x","version":"1"}`), "without a manifest_version"},
		"no name":                {manifest(`{"manifest_version":3,"name":" ","version":"1"}`), "without a name"},
		"a number for a name":    {manifest(`{"manifest_version":3,"name":7,"version":"1"}`), "without a name"},
		"no version":             {manifest(`{"manifest_version":3,"name":"x"}`), "without a version"},
		"too many numbers":       {manifest(`{"manifest_version":3,"name":"x","version":"1.2.3.4.5"}`), "without a version"},
		"a large number":         {manifest(`{"manifest_version":3,"name":"x","version":"65536"}`), "without a version"},
		"a leading zero":         {manifest(`{"manifest_version":3,"name":"x","version":"01"}`), "without a version"},
		"a word for a version":   {manifest(`{"manifest_version":3,"name":"x","version":"1.x"}`), "without a version"},
		"an app":                 {with(`"app":{}`), `"app"`},
		"a shared module":        {with(`"import":[]`), `"import"`},
		"a broken key":           {with(`"key":"?"`), "not base64"},
		"no text for a key":      {with(`"key":7`), "not base64"},
		"a locale without texts": {with(`"default_locale":"en"`), "default_locale"},
		"texts without a locale": {file("_locales/en/messages.json"), "default_locale"},
		"the proxy":              {with(`"permissions":["tabs","proxy"]`), `"proxy"`},
		"privacy":                {with(`"permissions":["privacy"]`), `"privacy"`},
		"native messaging":       {with(`"permissions":["nativeMessaging"]`), `"nativeMessaging"`},
		"downloads":              {with(`"permissions":["downloads"]`), `"downloads"`},
		"what nobody knows":      {with(`"permissions":["Tabs"]`), `"Tabs"`},
		"the proxy later":        {with(`"optional_permissions":["proxy"]`), `"proxy"`},
		"an object to ask for":   {with(`"permissions":[{"fileSystem":["write"]}]`), "not a list of strings"},
		"no list":                {with(`"permissions":"tabs"`), "not a list of strings"},
		"no list of hosts":       {with(`"host_permissions":{}`), "host_permissions is not"},
		"the parent":             {file("../x.js"), "leads out of it"},
		"the parent inside":      {file("a/../../x.js"), "leads out of it"},
		"an absolute path":       {file("/etc/x"), "absolute"},
		"a drive":                {file("C:/x"), "not a name for a file"},
		"a backslash":            {file(`a\b.js`), "backslash"},
		"an empty part":          {file("a//b.js"), "not a name for a file"},
		"a dot":                  {file("./b.js"), "not a name for a file"},
		"a NUL":                  {file("a\x00b"), "not a name for a file"},
		"a device of Windows":    {file("a/NUL.js"), "not a name for a file"},
		"a trailing dot":         {file("a."), "not a name for a file"},
		"a turned name":          {file("a\u202ejs"), "not a name for a file"},
		"no UTF-8":               {file("a\xff"), "not UTF-8"},
		"a long name":            {file(strings.Repeat("x", 256)), "not a name for a file"},
		"a long path":            {file(strings.Repeat("x/", 150) + "x"), "path of 301 bytes"},
		"a deep path":            {file("1/2/3/4/5/6/x"), "lies 6 directories deep; there may be 5"},
		"deep directories":       {withManifest(t, goodManifest, entry{name: "1/2/3/4/5/6/", mode: fs.ModeDir | 0o755}), "directories deep"},
		"directories unnamed":    {withManifest(t, goodManifest, entry{name: "a/b/c/d/x"}, entry{name: "a/b/c/e/f/x"}), "more than 8 files and directories"},
		"a reserved name":        {file("_background.js"), "begin with _"},
		"a reserved directory":   {file("_x/a.js"), "begin with _"},
		"a link":                 {withManifest(t, goodManifest, entry{name: "l", content: "/etc/passwd", mode: fs.ModeSymlink | 0o777}), "a link or a device"},
		"a device":               {withManifest(t, goodManifest, entry{name: "d", mode: fs.ModeDevice | 0o666}), "a link or a device"},
		"a pipe":                 {withManifest(t, goodManifest, entry{name: "p", mode: fs.ModeNamedPipe | 0o666}), "a link or a device"},
		"a file as a directory":  {withManifest(t, goodManifest, entry{name: "p", mode: fs.ModeDir | 0o755}), "as a file and as a directory"},
		"encrypted":              {encrypted(t), "is encrypted"},
		"twice":                  {withManifest(t, goodManifest, entry{name: "a"}, entry{name: "a"}), "twice"},
		"two manifests":          {withManifest(t, goodManifest, entry{name: "manifest.json", content: "{}"}), "twice"},
		"another case":           {withManifest(t, goodManifest, entry{name: "a.js"}, entry{name: "A.js"}), "case of their letters"},
		"directories' case":      {withManifest(t, goodManifest, entry{name: "a/b"}, entry{name: "A/c"}), "case of their letters"},
		"a file and a directory": {withManifest(t, goodManifest, entry{name: "a"}, entry{name: "a/b"}), "as a file and as a directory"},
		"many files":             {withManifest(t, goodManifest, many(8)...), "more than 8 files"},
		"very many files":        {withManifest(t, goodManifest, many(9000)...), "more than 8 files"},
		"a bomb by its size":     {withManifest(t, goodManifest, entry{name: "a", content: strings.Repeat("\x00", 21<<20)}), "20971520 bytes when it is unpacked"},
		"a bomb by its ratio":    {withManifest(t, goodManifest, entry{name: "a", content: strings.Repeat("\x00", 9<<20)}), "100 times its size"},
		"many small bombs":       {withManifest(t, goodManifest, entry{name: "a", content: strings.Repeat("\x00", 5<<20)}, entry{name: "b", content: strings.Repeat("\x00", 5<<20)}), "100 times its size"},
	} {
		_, err := l.take(t.Context(), c.archive)
		var e *errtypes.Error
		if !errors.As(err, &e) || e.Kind != errtypes.Invalid || e.Field != "file" || !strings.Contains(e.Message, c.says) {
			t.Errorf("%s: %v, want one that says %q", name, err, c.says)
		}
	}
}

// take reads an archive as an upload does.
func (l Limits) take(ctx context.Context, archive []byte) (contents, error) {
	c, err := l.read(bytes.NewReader(archive), int64(len(archive)))
	if err == nil {
		err = c.verify(ctx)
	}
	return c, err
}

func many(n int) (all []entry) {
	for i := range n {
		all = append(all, entry{name: fmt.Sprint("file", i)})
	}
	return all
}

// encrypted is an archive whose second file says that it needs a password.
func encrypted(t testing.TB) []byte {
	b := withManifest(t, goodManifest, entry{name: "a.js", content: "x"})
	at := bytes.LastIndex(b, []byte("PK\x01\x02"))
	b[at+8] |= 1
	return b
}

func TestWhatIsLetIn(t *testing.T) {
	t.Parallel()
	l := filled(Limits{})
	for name, archive := range map[string][]byte{
		"the least":           withManifest(t, `{"manifest_version":3,"name":"x","version":"0.65535.0.1"}`),
		"texts":               withManifest(t, strings.TrimSuffix(goodManifest, "}")+`,"default_locale":"en"}`, entry{name: "_locales/en/messages.json", content: "{}"}),
		"hosts and files":     withManifest(t, strings.TrimSuffix(goodManifest, "}")+`,"permissions":["tabs","https://x/*"],"host_permissions":["<all_urls>","file:///*"],"optional_host_permissions":["*://*/*"]}`),
		"a small high ratio":  withManifest(t, goodManifest, entry{name: "a", content: strings.Repeat("\x00", 1<<20)}),
		"names of all kinds":  withManifest(t, goodManifest, entry{name: "größe/日本 1.js"}, entry{name: "a/_b.js"}, entry{name: "..a"}, entry{name: "a/b.c.d"}),
		"directories at last": withManifest(t, goodManifest, entry{name: "a/b/c"}, entry{name: "a/b/", mode: fs.ModeDir | 0o755}, entry{name: "a/", mode: fs.ModeDir | 0o755}),
	} {
		if _, err := l.take(t.Context(), archive); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnUploadThatIsGivenUp(t *testing.T) {
	t.Parallel()
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := filled(Limits{}).take(gone, withManifest(t, goodManifest, entry{name: "a", content: "x"})); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestComments(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"a":"//x"}`:              `{"a":"//x"}`,
		"{//x\n}":                  "{\n}",
		"{/*x*/}":                  "{ }",
		`{"a":"\"/*" /* " */}`:     `{"a":"\"/*"  }`,
		"//":                       "",
		"/*":                       " ",
		`"\`:                       `"\`,
		`1/2`:                      `1/2`,
		"// a\r\n{}//b\n/* c\n*/ ": "\n{}\n  ",
	} {
		if got := string(withoutComments([]byte(in))); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// FuzzArchive: whatever the bytes are, nothing is written outside the
// directory, and no more than the limits say.
func FuzzArchive(f *testing.F) {
	good := withManifest(f, goodManifest, entry{name: "a/b.js", content: "x"}, entry{name: "c/", mode: fs.ModeDir | 0o755}, entry{name: "l", content: "x", store: true})
	f.Add(good)
	f.Add(crx3(good, []byte("key"), proof(2, "key")))
	f.Add(crx(2, []uint32{1, 2}, []byte("abc"), good))
	f.Add(withManifest(f, "// x\n"+strings.TrimSuffix(goodManifest, "}")+`,"permissions":["tabs"],"key":"a2V5"}`, entry{name: "../x"}))
	l := filled(Limits{MaxFiles: 100, MaxUnpacked: 1 << 20, MaxPath: 200})
	f.Fuzz(func(t *testing.T, archive []byte) {
		c, err := l.take(t.Context(), archive)
		if err != nil {
			if e := (*errtypes.Error)(nil); !errors.As(err, &e) || e.Field != "file" {
				t.Fatalf("%v", err)
			}
			return
		}
		outer := t.TempDir()
		dir := filepath.Join(outer, "dir")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := c.writeTo(t.Context(), dir, "id"); err != nil {
			t.Fatalf("what was let in cannot be written: %v", err)
		}
		size := 0
		for name, content := range tree(t, outer) {
			if !strings.HasPrefix(name, "dir/") {
				t.Fatalf("%q is outside", name)
			}
			size += len(content)
		}
		if size > 3<<20 {
			t.Fatalf("%d bytes", size)
		}
	})
}
