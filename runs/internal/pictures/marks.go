package pictures

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/drover-go/drover/runs/browser"
)

// colours are those of marks, one after the other, so that neighbours differ.
var colours = []color.RGBA{
	{0xd0, 0x1c, 0x1c, 0xff}, {0x1c, 0x4f, 0xd0, 0xff}, {0x12, 0x7a, 0x2e, 0xff}, {0x8a, 0x1c, 0xb8, 0xff}, {0xb3, 0x5a, 0x00, 0xff},
}

// MarkColours are those that marks have.
func MarkColours() []color.RGBA { return append([]color.RGBA{}, colours...) }

// Mark draws a frame around a box, outside of it, with the reference at its upper
// left corner: above it where there is room. n chooses the colour.
func (p *Picture) Mark(n int, label browser.Ref, b browser.Box) {
	unit := max(int(math.Round(p.Scale)), 1)
	ink := image.NewUniform(colours[n%len(colours)])
	inner := p.snapped(b)
	outer := inner.Inset(-2 * unit)
	for _, side := range []image.Rectangle{
		{outer.Min, image.Pt(outer.Max.X, inner.Min.Y)}, {image.Pt(outer.Min.X, inner.Max.Y), outer.Max},
		{outer.Min, image.Pt(inner.Min.X, outer.Max.Y)}, {image.Pt(inner.Max.X, outer.Min.Y), outer.Max},
	} {
		draw.Draw(p.RGBA, side, ink, image.Point{}, draw.Src)
	}
	p.label(string(label), outer, unit, ink)
}

// snapped is where the browser has drawn a box: its edges at whole pixels.
func (p *Picture) snapped(b browser.Box) image.Rectangle {
	at := func(v float64) int { return int(math.Round(v * p.Scale)) }
	return image.Rect(at(b.X-p.Left), at(b.Y-p.Top), at(b.X-p.Left+b.Width), at(b.Y-p.Top+b.Height))
}

// label writes a reference on a plate of the colour of its frame.
func (p *Picture) label(text string, outer image.Rectangle, unit int, ink image.Image) {
	width, height := (len(text)*(glyphWidth+1)+1)*unit, (glyphHeight+2)*unit
	at := image.Pt(outer.Min.X, outer.Min.Y-height)
	if at.Y < 0 {
		at.Y = max(outer.Min.Y, 0)
	}
	at.X = max(min(at.X, p.Bounds().Max.X-width), 0)
	draw.Draw(p.RGBA, image.Rectangle{at, at.Add(image.Pt(width, height))}, ink, image.Point{}, draw.Src)
	for i, c := range []byte(text) {
		p.glyph(c, at.Add(image.Pt((1+i*(glyphWidth+1))*unit, unit)), unit)
	}
}

func (p *Picture) glyph(c byte, at image.Point, unit int) {
	rows, ok := glyphs[c]
	if !ok {
		return
	}
	for y, row := range rows {
		for x, bit := range row {
			if bit == '#' {
				dot := image.Rect(0, 0, unit, unit).Add(at).Add(image.Pt(x*unit, y*unit))
				draw.Draw(p.RGBA, dot, image.White, image.Point{}, draw.Src)
			}
		}
	}
}

const (
	glyphWidth  = 5
	glyphHeight = 7
)

// glyphs are what references are written with.
var glyphs = map[byte][glyphHeight]string{
	'0': {".###.", "#...#", "#..##", "#.#.#", "##..#", "#...#", ".###."},
	'1': {"..#..", ".##..", "..#..", "..#..", "..#..", "..#..", ".###."},
	'2': {".###.", "#...#", "....#", "..##.", ".#...", "#....", "#####"},
	'3': {"####.", "....#", "....#", ".###.", "....#", "....#", "####."},
	'4': {"...#.", "..##.", ".#.#.", "#..#.", "#####", "...#.", "...#."},
	'5': {"#####", "#....", "####.", "....#", "....#", "#...#", ".###."},
	'6': {".###.", "#....", "#....", "####.", "#...#", "#...#", ".###."},
	'7': {"#####", "....#", "...#.", "..#..", "..#..", ".#...", ".#..."},
	'8': {".###.", "#...#", "#...#", ".###.", "#...#", "#...#", ".###."},
	'9': {".###.", "#...#", "#...#", ".####", "....#", "....#", ".###."},
	'e': {".....", ".....", ".###.", "#...#", "#####", "#....", ".###."},
	'f': {"..##.", ".#...", "####.", ".#...", ".#...", ".#...", ".#..."},
}
