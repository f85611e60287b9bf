package mp4

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// A box is its length, its name and what it holds (ISO/IEC 14496-12). All
// numbers are big-endian.

// perSecond are the units of time of a film.
const perSecond = 1000

// box puts values one after the other: numbers of a fixed size, bytes and other
// boxes.
func box(name string, values ...any) []byte {
	b := append([]byte{0, 0, 0, 0}, name...)
	for _, v := range values {
		var err error
		if b, err = binary.Append(b, binary.BigEndian, v); err != nil {
			panic(err) // of values in this file
		}
	}
	putSize(b, len(b))
	return b
}

func putSize(b []byte, size int) { binary.BigEndian.PutUint32(b, uint32(size)) }

// full is a box with a version, 0, and flags.
func full(name string, flags uint32, values ...any) []byte {
	return box(name, append([]any{flags}, values...)...)
}

func fileType() []byte {
	return box("ftyp", []byte("isom"), uint32(0x200), []byte("isomiso2mp41"))
}

// upright is the matrix that leaves pictures as they are.
var upright = []uint32{1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30}

// movie describes the film, whose first picture begins at this byte of the file.
// Its length does not depend on that.
func (f *film) movie(at uint32) []byte {
	const track, next, normal, unknown = uint32(1), uint32(2), uint32(1 << 16), uint16(0x55c4) // speed, language
	header := full("mvhd", 0, make([]uint32, 2), uint32(perSecond), f.length, normal, uint16(1<<8), make([]byte, 10), upright, make([]uint32, 6), next)
	trackHeader := full("tkhd", 3, make([]uint32, 2), track, uint32(0), f.length, make([]uint32, 2), make([]uint16, 4), upright,
		uint32(f.width)<<16, uint32(f.height)<<16)
	mediaHeader := full("mdhd", 0, make([]uint32, 2), uint32(perSecond), f.length, unknown, uint16(0))
	handler := full("hdlr", 0, uint32(0), []byte("vide"), make([]uint32, 3), []byte{0})
	where := box("dinf", full("dref", 0, uint32(1), full("url ", 1)))
	info := box("minf", full("vmhd", 1, make([]uint16, 4)), where, f.samples(at))
	return box("moov", header, box("trak", trackHeader, box("mdia", mediaHeader, handler, info)))
}

// samples are the tables: how long each picture is shown, how large it is, and
// where they are, all in one chunk.
func (f *film) samples(at uint32) []byte {
	n := uint32(len(f.sizes))
	times := make([]uint32, 0, 2*n)
	for _, t := range f.times {
		times = append(times, 1, t)
	}
	return box("stbl", full("stsd", 0, uint32(1), f.entry()), full("stts", 0, n, times),
		full("stsc", 0, []uint32{1, 1, n, 1}), full("stsz", 0, uint32(0), n, f.sizes), full("stco", 0, uint32(1), at))
}

// entry says that the samples are JPEG files of this size.
func (f *film) entry() []byte {
	const resolution, depth, none = uint32(72 << 16), uint16(24), int16(-1)
	return box("mp4v", make([]byte, 6), uint16(1), make([]byte, 16), uint16(f.width), uint16(f.height), resolution, resolution,
		uint32(0), uint16(1), make([]byte, 32), depth, none, full("esds", 0, f.stream()))
}

// stream describes the stream of pictures (ISO/IEC 14496-1).
func (f *film) stream() []byte {
	const jpeg, visual = 0x6c, 4<<2 | 1
	rate := uint32(uint64(f.bytes) * 8 * perSecond / uint64(f.length))
	buffer := slices.Max(f.sizes)
	var b bytes.Buffer
	b.Write([]byte{jpeg, visual, byte(buffer >> 16), byte(buffer >> 8), byte(buffer)})
	rates, _ := binary.Append(nil, binary.BigEndian, []uint32{rate, rate}) // numbers
	b.Write(rates)
	decoder := descriptor(4, b.Bytes())
	return descriptor(3, append(append([]byte{0, 1, 0}, decoder...), descriptor(6, []byte{2})...))
}

// descriptor is a tag, a length and what it holds, which is short here.
func descriptor(tag byte, content []byte) []byte {
	return append([]byte{tag, byte(len(content))}, content...)
}
