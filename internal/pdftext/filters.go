package pdftext

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"io"
)

// maxFilters bounds how often a stream is packed.
const maxFilters = 4

// unpack is what a stream says; what cannot be unpacked says nothing.
func (f *file) unpack(s stream) []byte {
	filters := f.array(s.dict["Filter"])
	if n, ok := f.get(s.dict["Filter"]).(name); ok {
		filters = array{n}
	}
	if len(filters) > maxFilters {
		return nil
	}
	data := s.raw
	if len(filters) == 0 {
		return f.bounded(data)
	}
	for i, filter := range filters {
		params := f.dict(s.dict["DecodeParms"])
		if all := f.array(s.dict["DecodeParms"]); i < len(all) {
			params = f.dict(all[i])
		}
		kind, _ := f.get(filter).(name)
		if data = f.filter(kind, data); data == nil {
			return nil
		}
		if kind == "FlateDecode" || kind == "LZWDecode" {
			data = f.unpredict(data, params)
		}
	}
	return data
}

// room is how much may still be unpacked.
func (f *file) room() int { return max(f.limits.Unpacked-f.unpacked, 0) }

func (f *file) filter(kind name, data []byte) (out []byte) {
	switch kind {
	case "FlateDecode", "Fl":
		out = inflate(data, f.room())
	case "ASCIIHexDecode", "AHx":
		before, _, _ := bytes.Cut(data, []byte(">"))
		out = unhex(before)
	case "ASCII85Decode", "A85":
		out = unbase85(data)
	case "LZWDecode", "LZW":
		out = unlzw(data, f.room())
	default: // of pictures
		return nil
	}
	return f.bounded(out)
}

// bounded counts what was unpacked, and is what there is room for.
func (f *file) bounded(data []byte) []byte {
	if room := f.room(); len(data) >= room {
		data, f.cut = data[:room], true
	}
	f.unpacked += len(data)
	return data
}

// inflate takes what there is of damaged data, too.
func inflate(data []byte, room int) []byte {
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	io.Copy(&out, io.LimitReader(r, int64(room))) // its error is of no use
	return out.Bytes()
}

func unbase85(data []byte) []byte {
	data = bytes.TrimPrefix(bytes.TrimSpace(data), []byte("<~"))
	data, _, _ = bytes.Cut(data, []byte("~"))
	out := make([]byte, 4*len(data)+4)
	n, _, _ := ascii85.Decode(out, data, true)
	return out[:n]
}

// unlzw unpacks codes of 9 to 12 bits, which grow one code early.
func unlzw(data []byte, room int) (out []byte) {
	const clear, stop = 256, 257
	type entry struct {
		before int
		last   byte
		length int
	}
	table := make([]entry, 258, 4096)
	for i := range 256 {
		table[i] = entry{-1, byte(i), 1}
	}
	width, bits, have, previous := 9, uint32(0), 0, -1
	write := func(code int) (first byte) {
		n := table[code].length
		at := len(out)
		out = append(out, make([]byte, n)...)
		for i := n - 1; i >= 0; i-- {
			out[at+i] = table[code].last
			first, code = table[code].last, table[code].before
		}
		return first
	}
	for _, b := range data {
		bits, have = bits<<8|uint32(b), have+8
		if have < width {
			continue
		}
		have -= width
		code := int(bits >> have & (1<<width - 1))
		switch {
		case code == clear:
			table, width, previous = table[:258], 9, -1
			continue
		case code == stop || code > len(table) || code == len(table) && previous < 0 || len(out) >= room:
			return out
		}
		if code < len(table) {
			first := write(code)
			if previous >= 0 && len(table) < 4096 {
				table = append(table, entry{previous, first, table[previous].length + 1})
			}
		} else if len(table) < 4096 {
			first := out[len(out)-table[previous].length]
			table = append(table, entry{previous, first, table[previous].length + 1})
			write(code)
		}
		previous = code
		for width < 12 && len(table)+1 >= 1<<width {
			width++
		}
	}
	return out
}

// unpredict undoes the filters of PNG, with which tables are packed.
func (f *file) unpredict(data []byte, params dict) []byte {
	if f.number(params["Predictor"]) < 10 {
		return data
	}
	size := func(key name, otherwise float64) int {
		if n := f.number(params[key]); n > 0 && n < 100_000 {
			return int(n)
		}
		return int(otherwise)
	}
	pixel := max(size("Colors", 1)*size("BitsPerComponent", 8)/8, 1)
	row := max(size("Colors", 1)*size("BitsPerComponent", 8)*size("Columns", 1)/8, 1)
	if row > len(data) {
		return data
	}
	out := make([]byte, 0, len(data))
	before := make([]byte, row)
	for len(data) > row {
		now := bytes.Clone(data[1 : row+1])
		undoRow(data[0], now, before, pixel)
		out, before, data = append(out, now...), now, data[row+1:]
	}
	return out
}

func undoRow(how byte, now, above []byte, pixel int) {
	for i := range now {
		var left, corner byte
		if i >= pixel {
			left, corner = now[i-pixel], above[i-pixel]
		}
		switch how {
		case 1:
			now[i] += left
		case 2:
			now[i] += above[i]
		case 3:
			now[i] += byte((int(left) + int(above[i])) / 2)
		case 4:
			now[i] += paeth(left, above[i], corner)
		}
	}
}

func paeth(left, above, corner byte) byte {
	p := int(left) + int(above) - int(corner)
	a, b, c := abs(p-int(left)), abs(p-int(above)), abs(p-int(corner))
	switch {
	case a <= b && a <= c:
		return left
	case b <= c:
		return above
	}
	return corner
}

func abs(n int) int { return max(n, -n) }
