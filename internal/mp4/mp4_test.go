package mp4

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pictureOf is a file in one shade.
func pictureOf(t testing.TB, width, height int, shade uint8) []byte {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = shade
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func filmOf(t testing.TB, all ...Picture) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, all); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// find returns what a box at a path holds.
func find(t *testing.T, data []byte, path string) []byte {
	t.Helper()
	name, rest, deeper := strings.Cut(path, "/")
	for len(data) >= 8 {
		size := int(binary.BigEndian.Uint32(data))
		if size < 8 || size > len(data) {
			t.Fatalf("a box before %s has a length of %d, there are %d", path, size, len(data))
		}
		if string(data[4:8]) == name && !deeper {
			return data[8:size]
		}
		if string(data[4:8]) == name {
			return find(t, data[8:size], rest)
		}
		data = data[size:]
	}
	t.Fatalf("there is no box %s", path)
	return nil
}

func numbers(data []byte) (all []uint32) {
	for ; len(data) >= 4; data = data[4:] {
		all = append(all, binary.BigEndian.Uint32(data))
	}
	return all
}

// The tables lead to each picture, which is there as it was.
func TestTheTablesLeadToThePictures(t *testing.T) {
	t.Parallel()
	all := []Picture{
		{pictureOf(t, 64, 48, 0), 1500 * time.Millisecond}, {pictureOf(t, 64, 48, 128), 0}, {pictureOf(t, 32, 48, 255), 2 * time.Second},
	}
	data := filmOf(t, all...)
	const tables = "moov/trak/mdia/minf/stbl/"
	at := numbers(find(t, data, tables+"stco"))[2]
	sizes, times := numbers(find(t, data, tables+"stsz"))[3:], numbers(find(t, data, tables+"stts"))[2:]
	for i, p := range all {
		got := data[at : at+sizes[i]]
		if !bytes.Equal(got, p.JPEG) || times[2*i] != 1 || times[2*i+1] != uint32(max(p.For.Milliseconds(), 1)) {
			t.Errorf("picture %d: %d bytes of %d, shown for %d ms", i, len(got), len(p.JPEG), times[2*i+1])
		}
		at += sizes[i]
	}
	if int(at) != len(data) {
		t.Errorf("the last picture ends at %d of %d", at, len(data))
	}
	header := numbers(find(t, data, "moov/mvhd"))
	if header[3] != 1000 || header[4] != 3501 {
		t.Errorf("%d ms of %d a second", header[4], header[3])
	}
}

func TestAFilmNeedsAPicture(t *testing.T) {
	t.Parallel()
	for _, all := range [][]Picture{nil, {{JPEG: []byte("hello"), For: time.Second}}} {
		if err := Write(&bytes.Buffer{}, all); !errors.Is(err, ErrNoPicture) {
			t.Errorf("%d pictures: %v", len(all), err)
		}
	}
}

// A player for films shows the pictures for as long as they are to be shown. It
// is looked for, and not needed to develop Drover.
func TestAPlayerShowsThePictures(t *testing.T) {
	t.Parallel()
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("no ffmpeg on this machine: the file is not played")
	}
	path := filepath.Join(t.TempDir(), "film.mp4")
	data := filmOf(t, Picture{pictureOf(t, 64, 48, 0), time.Second}, Picture{pictureOf(t, 64, 48, 255), 2 * time.Second})
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	frames, err := exec.Command(ffmpeg, "-v", "error", "-i", path, "-vf", "fps=1,scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo", "-").CombinedOutput()
	if err != nil || len(frames) != 3 || frames[0] > 16 || frames[1] < 239 || frames[2] < 239 {
		t.Errorf("%v, %v", frames, err)
	}
}
