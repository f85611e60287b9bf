package tools

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/internal/pictures"
	"github.com/drover-go/drover/runs/internal/secrets"
)

// seeing gives a set the tool that takes pictures, of which nothing is lost.
func seeing(o *Options) { o.Images, o.MaxImageEdge, o.MaxImage = true, 20_000, 20<<20 }

// shown is the picture of the last answer.
func (d *driver) shown() image.Image {
	d.t.Helper()
	if len(d.last.Files) != 1 || !d.last.Files[0].Masked || d.last.Files[0].MediaType != "image/png" {
		d.t.Fatalf("no picture: %s %d files", d.last.Output.Text(), len(d.last.Files))
	}
	data, err := base64.StdEncoding.DecodeString(d.last.Files[0].Data)
	if err != nil {
		d.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		d.t.Fatal(err)
	}
	return img
}

func colourAt(img image.Image, x, y int) color.RGBA {
	r, g, b, _ := img.At(x, y).RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

// extents are the edges of each colour in a picture.
func extents(img image.Image) map[color.RGBA]image.Rectangle {
	all := map[color.RGBA]image.Rectangle{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := colourAt(img, x, y)
			all[c] = all[c].Union(image.Rect(x, y, x+1, y+1))
		}
	}
	return all
}

// coloured is a site whose elements have a colour each, told by their name: on the
// page, in a frame of another site, in a frame in that, in a box that scrolls, in a
// shadow root, and transformed.
func coloured(t *testing.T) string {
	t.Helper()
	n := 0
	button := func(style string) string {
		n++
		c := fmt.Sprintf("#%02x%02x%02x", 20+n%14*15, 20+n/14*15, 90)
		return fmt.Sprintf(`<button aria-label="%s" style="background:%s;border:0;border-radius:0;width:60px;height:20px;margin:14px;%s"></button>`, c, c, style)
	}
	row := func() string { return "<div>" + button("") + button("width:91.5px") + button("") + "</div>" }
	rows := func(n int) (all string) {
		for range n {
			all += row()
		}
		return all
	}
	pages := map[string]string{
		"/": `<body style="margin:0;background:#fff">` + row() +
			`<iframe src="{other}/outer" style="border:7px solid #eee;padding:3px;width:400px;height:170px"></iframe>` +
			`<div style="overflow:auto;height:60px;width:300px">` + row() + row() + row() + `</div>` +
			`<div style="transform:scale(1.5);transform-origin:0 0;width:200px;height:60px">` + button("") + `</div><div style="height:50px"></div>` +
			`<x-a></x-a><script>customElements.define('x-a', class extends HTMLElement { connectedCallback() { this.attachShadow({mode: 'open'}).innerHTML = '` + button("") + `' } })</script>` +
			rows(30) + `</body>`,
		"/outer": `<body style="margin:0;background:#fff">` + row() + `<iframe src="{self}/inner" style="border:2px solid #ddd;width:300px;height:80px"></iframe></body>`,
		"/inner": `<body style="margin:0;background:#fff">` + row() + row() + `<script>scrollTo(0, 10)</script></body>`,
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, port, _ := strings.Cut(r.Host, ":")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html>"+strings.NewReplacer("{other}", "http://other.test:"+port, "{self}", "http://main.test:"+port).Replace(pages[r.URL.Path]))
	}))
	t.Cleanup(srv.Close)
	return strings.Replace(srv.URL, "127.0.0.1", "main.test", 1)
}

func parseColour(name string) (c color.RGBA, ok bool) {
	_, err := fmt.Sscanf(name, "#%02x%02x%02x", &c.R, &c.G, &c.B)
	c.A = 0xff
	return c, err == nil
}

// Each mark stands on its element: what is just outside of the pixels of its colour
// is the mark, and what is inside is as it was.
func TestMarksStandOnTheirElements(t *testing.T) {
	t.Parallel()
	url := coloured(t)
	for _, factor := range []float64{1, 2} {
		t.Run(fmt.Sprint(factor), func(t *testing.T) {
			session, err := chrometest.Provider(t).Open(t.Context(), browser.Options{DeviceScaleFactor: factor, Height: 700})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { session.Close() })
			d := &driver{t: t, set: setOn(session, seeing, func(o *Options) { o.Variables = nil })}
			d.open(url)
			checkMarks(t, d, session, factor, 16)
			if err := session.Show(t.Context(), d.view.Lines[len(d.view.Lines)-1].Ref); err != nil { // far down
				t.Fatal(err)
			}
			checkMarks(t, d, session, factor, 20)
		})
	}
}

func byName(d *driver) map[string]browser.Ref {
	all := map[string]browser.Ref{}
	for _, l := range d.view.Lines {
		if _, ok := parseColour(l.Name); ok {
			all[l.Name] = l.Ref
		}
	}
	return all
}

func checkMarks(t *testing.T, d *driver, session browser.Session, factor float64, least int) {
	t.Helper()
	d.do("screenshot", `{}`)
	plain := extents(d.shown())
	if got := d.do("screenshot", `{"marks":true}`); !strings.Contains(got, "elements are marked") {
		t.Fatal(got)
	}
	img, unit := d.shown(), int(factor)
	if size := img.Bounds().Size(); size.X != int(1280*factor) || size.Y != int(700*factor) || d.set.picture.point(7*factor, 9*factor) != (browser.Point{X: 7, Y: 9}) {
		t.Errorf("%v, %+v", size, d.set.picture)
	}
	placed, err := session.Places(t.Context(), slices.Collect(valuesOf(byName(d))))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for name, ref := range byName(d) {
		c, _ := parseColour(name)
		at, shown := plain[c]
		place, ok := placed.Of[ref]
		if !ok || place.Covered {
			if shown && ok != shown {
				t.Errorf("%s %s is in the picture at %v, but has no place", ref, name, at)
			}
			continue
		}
		seen++
		box := image.Rect(int(math.Round(place.Box.X*factor)), int(math.Round(place.Box.Y*factor)), int(math.Round((place.Box.X+place.Box.Width)*factor)), int(math.Round((place.Box.Y+place.Box.Height)*factor)))
		if far := box.Inset(-2); !at.In(far) || !box.Inset(2).In(at) {
			t.Errorf("%s %s is at %v and said to be at %v", ref, name, at, box)
		}
		middle := image.Pt((at.Min.X+at.Max.X)/2, (at.Min.Y+at.Max.Y)/2)
		for side, out := range map[string][2]image.Point{
			"left": {{at.Min.X, middle.Y}, {-1, 0}}, "right": {{at.Max.X - 1, middle.Y}, {1, 0}}, "bottom": {{middle.X, at.Max.Y - 1}, {0, 1}},
		} {
			if !meetsMark(img, out[0], out[1], 3*unit) {
				t.Errorf("%s %s at %v: no mark at its %s", ref, name, at, side)
			}
		}
		if inside := colourAt(img, middle.X, middle.Y+at.Dy()/4); inside != c {
			t.Errorf("%s %s at %v is covered by its mark: %v", ref, name, at, inside)
		}
	}
	if seen < least {
		t.Errorf("only %d elements are in view", seen)
	}
}

// meetsMark reports whether a mark, or the edge of the picture, is within some
// pixels of a place.
func meetsMark(img image.Image, from, way image.Point, within int) bool {
	for range within {
		from = from.Add(way)
		if !from.In(img.Bounds()) || slices.Contains(pictures.MarkColours(), colourAt(img, from.X, from.Y)) {
			return true
		}
	}
	return false
}

func valuesOf(m map[string]browser.Ref) func(func(browser.Ref) bool) {
	return func(yield func(browser.Ref) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

func TestAPictureOfOneElement(t *testing.T) {
	t.Parallel()
	url := site(t, map[string]string{"/": `<body style="margin:0"><div style="height:3000px"></div><button style="background:#123456;color:#123456;border:0;width:200px;height:100px;margin-left:40px">Deep</button><div style="height:900px"></div>`})
	d := drive(t, seeing, func(o *Options) { o.Variables = nil })
	d.open(url)
	d.do("screenshot", `{"ref":"`+d.ref("Deep")+`"}`)
	if img := d.shown(); img.Bounds().Dx() != 200 || img.Bounds().Dy() != 100 || colourAt(img, 10, 10) != (color.RGBA{0x12, 0x34, 0x56, 0xff}) {
		t.Errorf("%v %v", img.Bounds(), colourAt(img, 10, 10))
	}
	if d.set.picture.Left != 40 || d.set.picture.Top <= 0 || d.set.picture.Scale != 1 {
		t.Errorf("%+v", d.set.picture)
	}
	d.do("screenshot", `{"full_page":true}`)
	if img := d.shown(); img.Bounds().Dy() < 4000 || !d.set.picture.Whole {
		t.Errorf("%v", img.Bounds())
	}
	for input, want := range map[string]string{
		`{"full_page":true,"marks":true}`: "marks are for what is in view", `{"full_page":true,"ref":"e1"}`: "not both",
		`{"ref":"x y"}`: "ref must be", `{"ref":"e999"}`: "there is no element e999",
	} {
		if d.do("screenshot", input); !d.last.Output.IsError() || !d.shows(want) || d.last.Fatal != nil {
			t.Errorf("%s: %s", input, d.last.Output.Text())
		}
	}
}

func TestPicturesAreMadeSmaller(t *testing.T) {
	t.Parallel()
	noise := `<body style="margin:0"><canvas id=c width=1280 height=800></canvas><script>const x = c.getContext('2d'), i = x.createImageData(1280, 800); for (let n = 0; n < i.data.length; n++) i.data[n] = n % 4 == 3 ? 255 : Math.random() * 256; x.putImageData(i, 0, 0)</script>`
	url := site(t, map[string]string{"/": noise})
	d := drive(t, func(o *Options) { o.Images, o.MaxImageEdge, o.MaxImage, o.Variables = true, 640, 100_000, nil })
	d.open(url)
	if got := d.do("screenshot", `{}`); !strings.HasPrefix(got, "Took a picture of ") || len(d.last.Files) != 1 {
		t.Fatal(got)
	}
	f := d.last.Files[0]
	if n := base64.StdEncoding.DecodedLen(len(f.Data)); n > 100_003 || f.MediaType != "image/jpeg" || d.set.picture.Scale > 0.5 {
		t.Errorf("%d bytes of %s, %+v", n, f.MediaType, d.set.picture)
	}
	if blind := drive(t); strings.Contains(blind.do("screenshot", `{}`), "Took") || !blind.shows("there is no tool") {
		t.Error("a model that does not see has the tool")
	}
}

// What a field shows of a variable is masked, and where a value shows elsewhere no
// picture is taken.
func TestValuesAreNotInPictures(t *testing.T) {
	t.Parallel()
	url := site(t, map[string]string{
		"/": `<body style="margin:0;background:#fff"><input aria-label=Field style="position:absolute;left:20px;top:20px;width:300px;height:40px;border:0;background:#00ff00;font-size:30px">
<input aria-label=Other value=public style="position:absolute;left:20px;top:90px;width:300px;height:40px;border:0;background:#0000ff">
<canvas id=c width=100 height=50 style="position:absolute;left:20px;top:160px;background:#ff0000"></canvas>
<button style="position:absolute;left:20px;top:300px" onclick="document.body.append('It is ' + document.querySelector('input').value)">Tell</button>`,
		"/pieces": `<p>hun<b>ter</b>22</p><p>x</p>`,
	})
	d := drive(t, seeing)
	d.open(url)
	green, blue, red := color.RGBA{0, 0xff, 0, 0xff}, color.RGBA{0, 0, 0xff, 0xff}, color.RGBA{0xff, 0, 0, 0xff}
	for _, text := range []string{"%pass%", "%pin%"} {
		d.typeInto("Field", text)
		d.do("screenshot", `{"marks":true}`)
		found := extents(d.shown())
		if !found[green].Empty() || !found[red].Empty() || found[blue].Dx() < 200 {
			t.Errorf("%s: the field is at %v, the canvas at %v, the other field at %v", text, found[green], found[red], found[blue])
		}
	}
	if d.do("screenshot", `{"full_page":true}`); !d.last.Output.IsError() || len(d.last.Files) != 0 {
		t.Error("the whole page is shown")
	}
	d.typeInto("Field", "%pass%")
	d.click("Tell")
	if got := d.do("screenshot", `{}`); !strings.Contains(got, "no picture is taken") || len(d.last.Files) != 0 {
		t.Errorf("a value beside the field: %s", got)
	}
	d.open(url + "/pieces")
	if got := d.do("screenshot", `{}`); !strings.Contains(got, "no picture is taken") || len(d.last.Files) != 0 {
		t.Errorf("a value in pieces: %s", got)
	}
	without := drive(t, seeing, func(o *Options) { o.Variables = secrets.New(nil) })
	without.open(url)
	without.do("screenshot", `{}`)
	if found := extents(without.shown()); found[green].Empty() || found[red].Empty() {
		t.Error("without variables something is masked")
	}
	if _, ok := outline.Parse(without.last.Output.Text()); ok {
		t.Error("a picture comes with a page")
	}
}
