// Package mp4 writes pictures as a film: Motion JPEG in an MP4 file, which is
// the pictures as they are behind tables that say when each is shown. Nothing is
// encoded, so it costs no more than copying.
//
// Players for films take such a file (VLC, mpv, ffmpeg, QuickTime); browsers do
// not.
package mp4

import (
	"bytes"
	"errors"
	"image/jpeg"
	"io"
	"time"
)

// Picture is one frame.
type Picture struct {
	// JPEG is the file.
	JPEG []byte
	// For is how long it is shown, at least a millisecond.
	For time.Duration
}

// ErrNoPicture says that a film has no frame that can be read.
var ErrNoPicture = errors.New("mp4: there is no picture")

// Write writes a film of the pictures, whose sides are those of the first.
func Write(w io.Writer, all []Picture) error {
	if len(all) == 0 {
		return ErrNoPicture
	}
	size, err := jpeg.DecodeConfig(bytes.NewReader(all[0].JPEG))
	if err != nil {
		return errors.Join(ErrNoPicture, err)
	}
	f := newFilm(all, size.Width, size.Height)
	head := append(fileType(), f.movie(0)...)
	content := box("mdat") // its length is set below
	at := uint32(len(head) + len(content))
	head = append(fileType(), f.movie(at)...)
	putSize(content, len(content)+int(f.bytes))
	for _, piece := range [][]byte{head, content} {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	for _, p := range all {
		if _, err := w.Write(p.JPEG); err != nil {
			return err
		}
	}
	return nil
}

// film is what the tables say.
type film struct {
	width, height int
	sizes         []uint32 // of the pictures in bytes
	times         []uint32 // for which they are shown, in ms
	bytes, length uint32   // of all
}

func newFilm(all []Picture, width, height int) *film {
	f := &film{width: width, height: height}
	for _, p := range all {
		size, ms := uint32(len(p.JPEG)), uint32(max(p.For.Milliseconds(), 1))
		f.sizes, f.times = append(f.sizes, size), append(f.times, ms)
		f.bytes += size
		f.length += ms
	}
	return f
}
