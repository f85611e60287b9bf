// Package pictures prepares pictures of pages for language models: parts are
// masked and cut out, elements are marked with their references, and what is too
// large is made smaller.
package pictures

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"

	"github.com/drover-go/drover/runs/browser"
)

// Picture is one of a page, with as many pixels for a CSS pixel as Scale says.
type Picture struct {
	*image.RGBA
	Scale float64
	// Left and Top are where it begins in the viewport, in CSS pixels.
	Left, Top float64
}

// maxPixels bounds a picture that is taken apart.
const maxPixels = 60_000_000

// Decode reads a PNG that shows so many CSS pixels side by side.
func Decode(data []byte, width float64) (*Picture, error) {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if head.Width*head.Height > maxPixels || width < 1 {
		return nil, errors.New("pictures: the picture is too large")
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	rgba := image.NewRGBA(image.Rect(0, 0, head.Width, head.Height))
	draw.Draw(rgba, rgba.Bounds(), img, img.Bounds().Min, draw.Src)
	return &Picture{RGBA: rgba, Scale: float64(head.Width) / width}, nil
}

// rect is where a box is in the picture, rounded outwards.
func (p *Picture) rect(b browser.Box) image.Rectangle {
	return image.Rect(
		int(math.Floor((b.X-p.Left)*p.Scale)), int(math.Floor((b.Y-p.Top)*p.Scale)),
		int(math.Ceil((b.X-p.Left+b.Width)*p.Scale)), int(math.Ceil((b.Y-p.Top+b.Height)*p.Scale)),
	)
}

// maskColour is that of what is not shown.
var maskColour = color.RGBA{0x60, 0x60, 0x60, 0xff}

// Mask hides what is in a box, and a pixel around it.
func (p *Picture) Mask(b browser.Box) {
	draw.Draw(p.RGBA, p.rect(b).Inset(-int(math.Ceil(p.Scale))), image.NewUniform(maskColour), image.Point{}, draw.Src)
}

// Cut leaves what is in a box.
func (p *Picture) Cut(b browser.Box) error {
	r := p.rect(b).Intersect(p.Bounds())
	if r.Empty() {
		return errors.New("pictures: nothing is left")
	}
	part := image.NewRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	draw.Draw(part, part.Bounds(), p.RGBA, r.Min, draw.Src)
	p.Left, p.Top = p.Left+float64(r.Min.X)/p.Scale, p.Top+float64(r.Min.Y)/p.Scale
	p.RGBA = part
	return nil
}

// Fit makes the picture smaller until its longer side has edge pixels at most.
func (p *Picture) Fit(edge int) {
	size := p.Bounds().Size()
	long := max(size.X, size.Y)
	if edge <= 0 || long <= edge {
		return
	}
	ratio := float64(edge) / float64(long)
	width, height := max(int(float64(size.X)*ratio), 1), max(int(float64(size.Y)*ratio), 1)
	p.RGBA = shrink(p.RGBA, width, height)
	p.Scale *= float64(width) / float64(size.X)
}

// shrink gives each pixel the average of those that it stands for.
func shrink(from *image.RGBA, width, height int) *image.RGBA {
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	size := from.Bounds().Size()
	for y := range height {
		top, bottom := y*size.Y/height, max((y+1)*size.Y/height, y*size.Y/height+1)
		for x := range width {
			left, right := x*size.X/width, max((x+1)*size.X/width, x*size.X/width+1)
			to.SetRGBA(x, y, average(from, left, top, right, bottom))
		}
	}
	return to
}

func average(img *image.RGBA, left, top, right, bottom int) color.RGBA {
	var sum [4]int
	for y := top; y < bottom; y++ {
		row := img.Pix[img.PixOffset(left, y):img.PixOffset(right, y)]
		for i, v := range row {
			sum[i%4] += int(v)
		}
	}
	n := (right - left) * (bottom - top)
	return color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), uint8(sum[3] / n)}
}

// Encode writes the picture as a PNG, or as a JPEG where that would have more than
// limit bytes; smaller and smaller, until it fits.
func (p *Picture) Encode(limit int) (data []byte, mediaType string, err error) {
	var b bytes.Buffer
	if err := png.Encode(&b, p.RGBA); err != nil {
		return nil, "", err
	}
	if b.Len() <= limit {
		return b.Bytes(), "image/png", nil
	}
	for {
		for _, quality := range []int{80, 60, 40} {
			b.Reset()
			if err := jpeg.Encode(&b, p.RGBA, &jpeg.Options{Quality: quality}); err != nil {
				return nil, "", err
			}
			if b.Len() <= limit {
				return b.Bytes(), "image/jpeg", nil
			}
		}
		size := p.Bounds().Size()
		if max(size.X, size.Y) < 64 {
			return nil, "", errors.New("pictures: the picture does not fit its limit")
		}
		p.Fit(max(size.X, size.Y) * 3 / 4)
	}
}
