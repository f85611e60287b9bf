package protocolfuzz

import (
	"math"
	"strings"
)

// maxDepth is how deep values are nested; beyond, optional ones are left out.
const maxDepth = 6

// members makes up an object, most often with what it must have.
func (s *Stream) members(list []property, depth int) map[string]any {
	object := map[string]any{}
	for _, p := range list {
		percent := 98
		if p.Optional {
			percent = max(45-depth*8, 4)
		}
		if s.chance(percent) {
			object[p.Name] = s.value(p, depth)
		}
	}
	return object
}

// value makes up a value, most often one of the right type.
func (s *Stream) value(p property, depth int) any {
	if s.chance(2) {
		return one(s, wrong)
	}
	p, pool := s.d.resolve(p)
	switch {
	case pool != "" && s.chance(80):
		return pick{pool, s.rand.IntN(64), s.plain(p, depth)}
	case len(p.Enum) > 0 && !s.chance(4):
		return one(s, p.Enum)
	}
	return s.plain(p, depth)
}

func (s *Stream) plain(p property, depth int) any {
	switch p.Type {
	case "string":
		return s.text(p.Name)
	case "integer":
		return s.integer()
	case "number":
		return s.number()
	case "boolean":
		return s.chance(50)
	case "array":
		return s.list(p, depth)
	case "object":
		if depth < maxDepth {
			return s.members(p.Properties, depth+1)
		}
		return map[string]any{}
	case "binary":
		return one(s, binaries)
	}
	return one(s, wrong) // of any type
}

func (s *Stream) list(p property, depth int) []any {
	n := one(s, []int{0, 1, 1, 1, 2, 2, 3, 5})
	if s.chance(1) && depth == 0 {
		n = 300
	}
	list := make([]any, n)
	for i := range list {
		if p.Items != nil {
			list[i] = s.value(*p.Items, depth+1)
		}
	}
	return list
}

// integer is small and ordinary half of the time, and at an edge else.
func (s *Stream) integer() any {
	if s.chance(50) {
		return s.rand.IntN(12)
	}
	return one(s, integers)
}

func (s *Stream) number() any {
	switch {
	case s.chance(30):
		return s.rand.IntN(500)
	case s.chance(20):
		return s.rand.Float64()
	case s.chance(30):
		return one(s, integers)
	}
	return one(s, numbers)
}

func (s *Stream) text(name string) any {
	name = strings.ToLower(name)
	for _, known := range texts {
		if strings.Contains(name, known.name) && s.chance(85) {
			return one(s, known.values)
		}
	}
	return one(s, strange)
}

func one[T any](s *Stream, list []T) T { return list[s.rand.IntN(len(list))] }

var integers = []any{
	0, -1, 1, 2, -2, 100, 255, 256, -100, 1000, 1280, 4096, 9999, 10_000, 16_384, 32_767, 65_535, 65_536, 100_000, 1_000_000, 100_000_000,
	math.MaxInt32 - 1, math.MaxInt32, math.MinInt32, int64(math.MaxInt32) + 1, int64(math.MaxUint32), int64(1) << 53,
}

var numbers = []any{
	0, 0.1, 0.5, 0.999, 1.5, -0.5, 2, 10, 100.25, 1e-9, -1e-9, 1e-300, 5e-324, 1e6, 1e9, 1e12, 1e18, 1e38, 1e39, 1e300, math.MaxFloat64, -math.MaxFloat64,
}

// wrong are values of no type in particular.
var wrong = []any{nil, true, -1, 1.5, "", "x", []any{}, []any{1, "2"}, map[string]any{}, map[string]any{"a": map[string]any{"b": 1}}, 1e300}

var strange = []any{
	"", "a", "*", "0", "-1", "x y", "\x00", "\U0001F600", "null", "{}", "../..", "a\nb", "http://", "%s%n", strings.Repeat("a", 300), strings.Repeat("é", 20_000),
	"default", "all", "1.0", "en-US", "Europe/Berlin", "div", "id", "background",
}

var binaries = []any{"", "AA==", "aGVsbG8=", "not base64", strings.Repeat("AAAA", 5000), "iVBORw0KGgo="}

// texts are values for parameters whose name has a word in it.
var texts = []struct {
	name   string
	values []any
}{
	{"expression", []any{
		"1+1", "document", "window", "document.body", "document.querySelector('canvas')", "document.querySelector('video')", "document.querySelector('input')",
		"document.querySelector('iframe')", "new Promise(r => setTimeout(r, 50))", "Promise.reject(1)", "throw new Error('x')", "debugger", "[1,2,{a:document}]",
		"navigator", "new Map([[1,{}]])", "indexedDB", "new Proxy({}, {})", "await fetch('/')", "performance.now()", "document.execCommand('paste')",
		"document.querySelector('textarea').focus()", "document.querySelector('textarea').select()", "navigator.clipboard.readText()", "getSelection().selectAllChildren(document.body)",
		"open('/')", "print()", "document.body.requestFullscreen()", "location.reload()", "alert(1)", "history.back()", "x'", "(", "new ArrayBuffer(1e6)",
		"navigator.geolocation.getCurrentPosition(()=>{})", "document.querySelector('video').requestPictureInPicture()", "new AudioContext().resume()",
	}},
	{"function", []any{"function(){return this}", "() => 1", "function(a){return a}", "async () => document", "function(){debugger}", "(", "() => { throw 1 }", "function(){this.remove()}"}},
	{"script", []any{"1", "window.early=1", "debugger", "(", "//# sourceURL=x.js", "onmessage=()=>{}", "setInterval(()=>{},1)"}},
	{"source", []any{"1", "(", "function f(){}"}},
	{"selector", []any{"*", "div", "body", "canvas", "#grid", "input", "::", ":hover", "div > p", ""}},
	{"html", []any{"<p>x", "<iframe src=/frame></iframe>", "<script>1</script>", "<canvas>", "", "<template><b>", strings.Repeat("<div>", 600)}},
	{"url", []any{"about:blank", "data:text/html,<p>x", "data:,", "javascript:1", "http://127.0.0.1:1/", "file:///etc/passwd", "chrome://version", "", "x", "blob:null/1", "*", "http://*"}},
	{"style", []any{"color:red", "width:1e9px", "", "{", "animation:a 1s infinite", "display:grid"}},
	{"condition", []any{"true", "1 == 1", "(min-width: 1px)", "", "("}},
	{"mediatext", []any{"print", "(min-width: 1px)", "screen and", ""}},
	{"media", []any{"print", "screen", "", "x"}},
	{"origin", []any{"http://127.0.0.1", "https://example.com", "null", "", "*", "file://", "chrome://settings"}},
	{"storagekey", []any{"http://127.0.0.1/", "https://example.com/", "", "^31"}},
	{"database", []any{"db", ""}},
	{"objectstore", []any{"store", ""}},
	{"index", []any{"", "i"}},
	{"cachename", []any{"cache", ""}},
	{"permission", []any{"geolocation", "notifications", "camera", "midi", "clipboard-read", "x"}},
	{"key", []any{"a", "v", "V", "Enter", "Tab", "Escape", "ArrowDown", "F5", "F11", "Insert", "Delete", "Control", "Meta", "Shift", "Alt", "PrintScreen", "Unidentified", "Paste", ""}},
	{"code", []any{"KeyA", "KeyV", "Enter", "Tab", "Escape", "F5", "F11", "Insert", "Paste", ""}},
	{"command", []any{"copy", "cut", "paste", "selectAll", "undo", "insertText", "pasteAndMatchStyle", "x", ""}},
	{"text", []any{"a", "v", "\x16", "\r", "", "text", "\u202e", strings.Repeat("z", 5000)}},
	{"format", []any{"png", "jpeg", "webp", "mhtml", ""}},
	{"path", []any{"/", "", "/tmp/x", "C:\\x"}},
	{"files", []any{"/etc/passwd", "x.txt"}},
	{"name", []any{"a", "id", "class", "click", "load", "DOMContentLoaded", "", "body", "screenX", "main"}},
	{"header", []any{"text/html", "a", ""}},
	{"policy", []any{"advance", "pause", "x"}},
	{"timezone", []any{"UTC", "Europe/Berlin", "x", ""}},
	{"locale", []any{"de_DE", "en-US", "x", ""}},
	{"useragent", []any{"Mozilla/5.0 x", "", strings.Repeat("u", 3000), "a\r\nb: c"}},
	{"type", []any{"keyDown", "page", "mousePressed", "text/plain", "x"}},
}
