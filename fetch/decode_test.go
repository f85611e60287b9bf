package fetch_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"io"
	"log"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/testlevel"
)

var quiet = log.New(io.Discard, "", 0)

// codings compress a text in every way that is understood.
var codings = map[string]func(string) []byte{
	"gzip":     gzipped,
	"x-gzip":   gzipped,
	"deflate":  through(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }),
	"deflate ": through(func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 6); return f }), // bare
	"br":       through(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }),
	"zstd":     through(func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z }),
}

func through(open func(io.Writer) io.WriteCloser) func(string) []byte {
	return func(s string) []byte {
		var b bytes.Buffer
		w := open(&b)
		io.WriteString(w, s)
		w.Close()
		return b.Bytes()
	}
}

func coded(coding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Encoding", coding)
		w.Write(body)
	}
}

func TestCodings(t *testing.T) {
	s := open(t, fetch.Config{})
	text := strings.Repeat("Ein Text, der sich verdichten lässt. ", 1000)
	for coding, compress := range codings {
		name := strings.TrimSpace(coding)
		if a := get(t, s, serve(t, coded(name, compress(text))), fetch.Options{}); a.Content != text || a.Headers["content-encoding"] != name {
			t.Errorf("%s: %d characters, header %q", coding, len(a.Content), a.Headers["content-encoding"])
		}
		if a := get(t, s, serve(t, coded(name, nil)), fetch.Options{}); a.Content != "" {
			t.Errorf("%s: empty body became %q", coding, a.Content)
		}
	}
	chain := codings["br"](string(codings["zstd"](string(gzipped(text)))))
	for _, value := range []string{"gzip, zstd, br", "GZIP,  identity, ZSTD , Br"} {
		if a := get(t, s, serve(t, coded(value, chain)), fetch.Options{}); a.Content != text {
			t.Errorf("%s: %d characters", value, len(a.Content))
		}
	}
	twoMembers := append(gzipped("one "), gzipped("two")...)
	for name, body := range map[string][]byte{"members": twoMembers, "garbage behind": append(twoMembers, "garbage"...)} {
		if a := get(t, s, serve(t, coded("gzip", body)), fetch.Options{}); a.Content != "one two" {
			t.Errorf("%s: %q", name, a.Content)
		}
	}
}

func TestTruncatedStreamsAreNeverAPage(t *testing.T) {
	s := open(t, fetch.Config{})
	text := strings.Repeat("Ein Text, der sich verdichten lässt. ", 100)
	for coding, compress := range codings {
		whole := compress(text)
		for _, length := range []int{1, 2, 5, len(whole) / 2, len(whole) - 1} {
			fails(t, s, serve(t, coded(strings.TrimSpace(coding), whole[:length])), fetch.Options{}, errtypes.BadGateway, "cannot be decoded")
		}
	}
}

func TestDecompressionBombsEndAtTheLimit(t *testing.T) {
	s := open(t, fetch.Config{MaxBody: 1 << 20})
	zeros := strings.Repeat("\x00", testlevel.Of(2<<20, 4<<20))
	for coding, compress := range codings {
		bomb := compress(zeros)
		fails(t, s, serve(t, coded(strings.TrimSpace(coding), bomb)), fetch.Options{}, errtypes.BadGateway, "larger than 1048576 bytes")
	}
	// Every layer is bounded, not only the last.
	nested := gzipped(string(gzipped(zeros)))
	fails(t, s, serve(t, coded("gzip, gzip", nested)), fetch.Options{}, errtypes.BadGateway, "larger than")
	redirected := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			io.WriteString(w, "end")
			return
		}
		w.Header().Set("Location", "/end")
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(302)
		w.Write(gzipped(zeros))
	})
	if a := get(t, s, redirected, fetch.Options{AllowRedirects: true}); a.Content != "end" {
		t.Errorf("%+v", a)
	}
}

func encode(t *testing.T, label, text string) string {
	t.Helper()
	enc, err := htmlindex.Get(label)
	if err != nil {
		t.Fatal(err)
	}
	b, err := enc.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestCharacterSetsInTheirOrder(t *testing.T) {
	s := open(t, fetch.Config{})
	const text = "Grüße, žluťoučký"
	in := func(label, text string) string { return encode(t, label, text) }
	padding := "<!--" + strings.Repeat("x", 5000) + "-->"
	for name, test := range map[string]struct{ contentType, body, want string }{
		"mark beats header":   {"text/html; charset=windows-1250", "\xEF\xBB\xBF" + text, text},
		"utf-16 by its mark":  {"text/plain", "\xFF\xFEh\x00\xfc\x00", "hü"},
		"utf-16be":            {"text/plain; charset=utf-16be", "\x00h\x00\xfc", "hü"},
		"header":              {"text/plain; charset=windows-1250", in("windows-1250", text), text},
		"header in quotes":    {`text/plain; charset="windows-1250"`, in("windows-1250", text), text},
		"latin1 is 1252":      {"text/plain; charset=iso-8859-1", "\x80", "€"},
		"header beats meta":   {"text/html; charset=windows-1250", in("windows-1250", `<meta charset="utf-8">`+text), `<meta charset="utf-8">` + text},
		"unknown header":      {"text/html; charset=none", in("windows-1250", `<meta charset=windows-1250>`+text), `<meta charset=windows-1250>` + text},
		"meta":                {"text/html", in("windows-1250", `<meta charset="windows-1250">`+text), `<meta charset="windows-1250">` + text},
		"pragma":              {"text/html", in("windows-1250", `<META http-equiv=Content-Type content="text/html; CharSet = 'windows-1250'">`+text), `<META http-equiv=Content-Type content="text/html; CharSet = 'windows-1250'">` + text},
		"late meta":           {"text/html", in("windows-1250", padding+`<meta charset="windows-1250">`+text), padding + `<meta charset="windows-1250">` + text},
		"meta in a comment":   {"text/html", `<!-- <meta charset="windows-1250"> -->` + text, `<!-- <meta charset="windows-1250"> -->` + text},
		"meta in a script":    {"text/html", `<script>"<meta charset='windows-1250'>"</script>` + text, `<script>"<meta charset='windows-1250'>"</script>` + text},
		"meta says utf-16":    {"text/html", `<meta charset="utf-16">` + text, `<meta charset="utf-16">` + text},
		"meta without pragma": {"text/html", `<meta content="charset=windows-1250">` + text, `<meta content="charset=windows-1250">` + text},
		"plain utf-8":         {"text/html", text, text},
		"xml":                 {"application/xml", in("windows-1250", `<?xml version="1.0" encoding="windows-1250"?>`+text), `<?xml version="1.0" encoding="windows-1250"?>` + text},
		"css":                 {"text/css", in("windows-1250", `@charset "windows-1250";`+text), `@charset "windows-1250";` + text},
		"utf-7 is unknown":    {"text/plain; charset=utf-7", "x", "x"},
		"first attribute":     {"text/html", in("windows-1250", `<meta charset="windows-1250" charset="koi8-r">`+text), `<meta charset="windows-1250" charset="koi8-r">` + text},
		"user-defined meta":   {"text/html", "<meta charset=x-user-defined>\x80", "<meta charset=x-user-defined>€"},
	} {
		t.Run(name, func(t *testing.T) {
			a := get(t, s, serve(t, page(test.contentType, test.body)), fetch.Options{})
			if a.Content != test.want || a.Encoding != "utf-8" {
				t.Errorf("%.100q (%s), want %.100q", a.Content, a.Encoding, test.want)
			}
		})
	}
}

// undeclared are pages whose character set only their bytes tell.
var undeclared = map[string]string{
	"gbk":          "中国的首都是北京，人口超过两千万。今天天气很好，我们去公园散步。",
	"big5":         "台灣的首都是台北，人口很多。今天天氣很好，我們去公園散步。",
	"euc-kr":       "대한민국의 수도는 서울입니다. 오늘은 날씨가 좋아서 공원에 갑니다.",
	"shift_jis":    "日本の首都は東京です。今日は天気がいいので公園を散歩します。",
	"euc-jp":       "日本の首都は東京です。今日は天気がいいので公園を散歩します。",
	"windows-1251": "Столица России — Москва. Сегодня хорошая погода, и мы идём гулять в парк.",
	"koi8-r":       "Столица России Москва. Сегодня хорошая погода, и мы идём гулять в парк.",
	"windows-1250": "Stolicą Polski jest Warszawa. Dziś jest ładna pogoda, więc idziemy na spacer do parku.",
	"windows-1252": "Die Hauptstadt Österreichs ist Wien. Schöne Grüße, „Anführung“ für 5 €, über die Brücke.",
	"windows-1253": "Η πρωτεύουσα της Ελλάδας είναι η Αθήνα. Σήμερα ο καιρός είναι καλός.",
	"windows-1255": "בירת ישראל היא ירושלים. היום מזג האוויר יפה ואנחנו הולכים לפארק.",
	"windows-1256": "عاصمة مصر هي القاهرة. الطقس جميل اليوم ونحن ذاهبون إلى الحديقة.",
	"windows-1254": "Türkiye'nin başkenti Ankara'dır. Bugün hava güzel, parkta yürüyüşe çıkıyoruz.",
}

func TestCharacterSetsThatOnlyTheBytesTell(t *testing.T) {
	s := open(t, fetch.Config{})
	for label, text := range undeclared {
		for _, times := range []int{1, testlevel.Of(500, 1500)} { // the second is longer than what is looked at
			body := strings.Repeat("<p>"+text+"</p>", times)
			a := get(t, s, serve(t, page("text/html", encode(t, label, body))), fetch.Options{})
			if a.Content != body {
				t.Errorf("%s × %d: %.80q", label, times, a.Content)
			}
		}
	}
}
