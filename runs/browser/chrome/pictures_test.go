package chrome_test

import (
	"bytes"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"regexp"
	"strconv"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

const tallPage = `<title>Tall</title><body style="margin:0;background:rgb(0,0,255)"><div style="height:3000px"></div><p style="position:absolute;left:100px;top:2000px;margin:0;width:50px;height:40px;background:rgb(255,0,0)"></p>`

func TestScreenshots(t *testing.T) {
	t.Parallel()
	s := show(t, tallPage)
	for name, c := range map[string]struct {
		o             browser.ScreenshotOptions
		format        string
		width, height int
		red           bool // the corner is
	}{
		"the viewport": {browser.ScreenshotOptions{}, "png", 1280, 800, false},
		"a JPEG":       {browser.ScreenshotOptions{JPEG: true, Quality: 100}, "jpeg", 1280, 800, false},
		"full page":    {browser.ScreenshotOptions{FullPage: true}, "png", 1280, 3000, false},
		"a clip":       {browser.ScreenshotOptions{Clip: &browser.Clip{X: 100, Y: 2000, Width: 50, Height: 40}}, "png", 50, 40, true},
	} {
		data, err := s.Screenshot(t.Context(), c.o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		img, format, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r, _, b, _ := img.At(0, 0).RGBA()
		if size := img.Bounds().Size(); format != c.format || size.X != c.width || size.Y != c.height || (r > 0xf000 && b < 0x1000) != c.red || !c.red && b < 0xf000 {
			t.Errorf("%s: %s %v red %x blue %x", name, format, size, r, b)
		}
	}
}

func TestPicturesThatCannotBe(t *testing.T) {
	t.Parallel()
	s := show(t, `<div style="height:20000px">x</div>`)
	for _, o := range []browser.ScreenshotOptions{
		{Quality: 101, JPEG: true}, {Quality: -1, JPEG: true}, {Quality: 50},
		{FullPage: true}, {FullPage: true, Clip: &browser.Clip{Width: 1, Height: 1}},
		{Clip: &browser.Clip{}}, {Clip: &browser.Clip{X: -1, Width: 5, Height: 5}},
		{Clip: &browser.Clip{Width: 16385, Height: 1}}, {Clip: &browser.Clip{Width: 10000, Height: 5001}},
	} {
		if data, err := s.Screenshot(t.Context(), o); !errtypes.Is(err, errtypes.Invalid) || len(data) > 0 {
			t.Errorf("%+v: %d bytes, %v", o, len(data), err)
		}
	}
	for _, o := range []browser.PDFOptions{{Width: 201, Height: 1}, {Width: 5}, {Width: -1, Height: 5}} {
		if _, err := s.PDF(t.Context(), o); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

var mediaBox = regexp.MustCompile(`/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]`)

func TestPDFs(t *testing.T) {
	t.Parallel()
	s := show(t, tallPage)
	plain, err := s.PDF(t.Context(), browser.PDFOptions{})
	if err != nil || !bytes.HasPrefix(plain, []byte("%PDF-")) {
		t.Fatalf("%d bytes, %v", len(plain), err)
	}
	for name, c := range map[string]struct {
		o    browser.PDFOptions
		want string
	}{
		"A4":        {browser.PDFOptions{}, "596x842"},
		"landscape": {browser.PDFOptions{Landscape: true}, "842x596"},
		"letter":    {browser.PDFOptions{Width: 8.5, Height: 11, Background: true}, "612x792"},
	} {
		data, err := s.PDF(t.Context(), c.o)
		if got := paperOf(data); err != nil || got != c.want {
			t.Errorf("%s: %s %v", name, got, err)
		}
	}
	coloured, err := s.PDF(t.Context(), browser.PDFOptions{Background: true})
	if err != nil || len(coloured) == len(plain) {
		t.Errorf("the background changes nothing: %d bytes, %v", len(coloured), err)
	}
}

// paperOf is the size of a document's pages in points, rounded.
func paperOf(pdf []byte) string {
	m := mediaBox.FindSubmatch(pdf)
	if m == nil {
		return "none"
	}
	width, _ := strconv.ParseFloat(string(m[1]), 64)
	height, _ := strconv.ParseFloat(string(m[2]), 64)
	return fmt.Sprintf("%.0fx%.0f", width, height)
}

func TestTabsAreListed(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":    `<title>Opener</title><a target=_blank rel=opener href=/new>Open</a>`,
		"/new": `<title>New</title><button onclick="window.close()">Close</button>`,
	})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	click(t, s, "Open")
	tabs := s.Tabs()
	if len(tabs) != 2 || tabs[0].URL != srv.URL+"/" || tabs[0].Title != "Opener" || tabs[1].URL != srv.URL+"/new" || tabs[1].ID == tabs[0].ID || tabs[1].ID == "" {
		t.Errorf("%+v", tabs)
	}
	click(t, s, "Close")
	tabs[0].Front, tabs[0].Current = true, true
	if after := s.Tabs(); len(after) != 1 || after[0] != tabs[0] {
		t.Errorf("%+v", after)
	}
	s.Close()
	if left := s.Tabs(); len(left) > 1 {
		t.Errorf("after closing: %+v", left)
	}
}
