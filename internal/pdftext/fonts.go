package pdftext

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// font is how the codes of a font are written in Unicode, and how wide they are.
type font struct {
	wide    bool // codes of two bytes, where the map does not say
	unicode *cmap
	simple  [256]string
	widths  map[int]float64 // in thousandths of the size
	width   float64         // of the others
}

// fontOf reads a font, once.
func (f *file) fontOf(v any) *font {
	r, isRef := v.(ref)
	if known := f.fonts[r]; isRef && known != nil {
		return known
	}
	d := f.dict(v)
	out := &font{widths: map[int]float64{}, width: 500}
	if s, ok := f.get(d["ToUnicode"]).(stream); ok {
		out.unicode = f.readMap(f.unpack(s))
	}
	if d["Subtype"] == name("Type0") {
		f.wideFont(out, d)
	} else {
		f.simpleFont(out, d)
	}
	if isRef {
		f.fonts[r] = out
	}
	return out
}

func (f *file) wideFont(out *font, d dict) {
	out.wide, out.width = true, 1000
	if all := f.array(d["DescendantFonts"]); len(all) > 0 {
		below := f.dict(all[0])
		if n := f.number(below["DW"]); n >= 0 {
			out.width = n
		}
		f.wideWidths(out, f.array(below["W"]))
	}
}

// maxWidths bounds the widths of one font.
const maxWidths = 70_000

// wideWidths reads "1 [500 600] 7 9 250".
func (f *file) wideWidths(out *font, w array) {
	for i := 0; i+1 < len(w) && len(out.widths) < maxWidths && f.step(); {
		first := int(f.number(w[i]))
		if list := f.array(w[i+1]); list != nil {
			for n, v := range list {
				if !f.step() {
					return
				}
				out.widths[first+n] = f.number(v)
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			return
		}
		for code := first; code <= min(int(f.number(w[i+1])), first+maxWidths) && len(out.widths) < maxWidths && f.step(); code++ {
			out.widths[code] = f.number(w[i+2])
		}
		i += 3
	}
}

func (f *file) simpleFont(out *font, d dict) {
	first := int(f.number(d["FirstChar"]))
	for i, v := range f.array(d["Widths"]) {
		if i >= 256 || !f.step() {
			break
		}
		out.widths[first+i] = f.number(v)
	}
	base, _ := f.get(d["Encoding"]).(name)
	encoding := f.dict(d["Encoding"])
	if n, ok := f.get(encoding["BaseEncoding"]).(name); ok {
		base = n
	}
	for i := range out.simple {
		out.simple[i] = baseText(base, byte(i))
	}
	code := 0
	for _, v := range f.array(encoding["Differences"]) {
		if !f.step() {
			return
		}
		switch v := f.get(v).(type) {
		case float64:
			code = int(v)
		case name:
			if code >= 0 && code < 256 {
				out.simple[code] = glyphText(string(v))
			}
			code++
		}
	}
}

// standardMarks are those of the standard encoding that Windows has elsewhere.
var standardMarks = map[byte]string{
	0x27: "’", 0x60: "‘", 0xa9: "'", 0xaa: "“", 0xac: "‹", 0xad: "›", 0xae: "fi", 0xaf: "fl", 0xb1: "–", 0xb2: "†", 0xb3: "‡",
	0xb7: "•", 0xb8: "‚", 0xb9: "„", 0xba: "”", 0xbc: "…", 0xbd: "‰", 0xd0: "—", 0xf5: "ı", 0xe1: "Æ", 0xe9: "Ø", 0xf1: "æ", 0xf9: "ø", 0xfa: "œ", 0xfb: "ß",
}

func baseText(base name, c byte) string {
	switch {
	case c < 0x20:
		return ""
	case base == "MacRomanEncoding":
		return string(charmap.Macintosh.DecodeByte(c))
	case base == "StandardEncoding" || base == "":
		if s, ok := standardMarks[c]; ok && (base != "" || c > 0x7f) {
			return s
		}
	}
	if r := charmap.Windows1252.DecodeByte(c); r != utf8.RuneError {
		return string(r)
	}
	return ""
}

// glyphNames are the names of glyphs that do not tell by themselves.
var glyphNames = map[string]string{
	"space": " ", "exclam": "!", "quotedbl": `"`, "numbersign": "#", "dollar": "$", "percent": "%", "ampersand": "&", "quotesingle": "'",
	"parenleft": "(", "parenright": ")", "asterisk": "*", "plus": "+", "comma": ",", "hyphen": "-", "minus": "−", "period": ".", "slash": "/",
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"colon": ":", "semicolon": ";", "less": "<", "equal": "=", "greater": ">", "question": "?", "at": "@", "bracketleft": "[", "backslash": `\`,
	"bracketright": "]", "asciicircum": "^", "underscore": "_", "grave": "`", "braceleft": "{", "bar": "|", "braceright": "}", "asciitilde": "~",
	"quoteleft": "‘", "quoteright": "’", "quotedblleft": "“", "quotedblright": "”", "quotesinglbase": "‚", "quotedblbase": "„", "guillemotleft": "«",
	"guillemotright": "»", "guilsinglleft": "‹", "guilsinglright": "›", "endash": "–", "emdash": "—", "bullet": "•", "ellipsis": "…", "fi": "fi", "fl": "fl",
	"ff": "ff", "ffi": "ffi", "ffl": "ffl", "Euro": "€", "sterling": "£", "yen": "¥", "cent": "¢", "section": "§", "degree": "°", "copyright": "©",
	"registered": "®", "trademark": "™", "plusminus": "±", "multiply": "×", "divide": "÷", "mu": "µ", "paragraph": "¶", "germandbls": "ß", "dagger": "†",
	"AE": "Æ", "ae": "æ", "OE": "Œ", "oe": "œ", "Oslash": "Ø", "oslash": "ø", "dotlessi": "ı", "exclamdown": "¡", "questiondown": "¿", "nbspace": " ",
	"onehalf": "½", "onequarter": "¼", "threequarters": "¾", "onesuperior": "¹", "twosuperior": "²", "threesuperior": "³", "perthousand": "‰",
}

// accents are the endings of names of letters with accents.
var accents = map[string]rune{
	"grave": 0x300, "acute": 0x301, "circumflex": 0x302, "tilde": 0x303, "dieresis": 0x308, "ring": 0x30a, "cedilla": 0x327, "caron": 0x30c, "macron": 0x304,
	"breve": 0x306, "ogonek": 0x328, "dotaccent": 0x307, "hungarumlaut": 0x30b,
}

// glyphText is what a glyph is called: A, eacute, uni20AC, u1F600; "" for what says
// nothing, such as g12.
func glyphText(glyph string) string {
	glyph, _, _ = strings.Cut(glyph, ".")
	if s, ok := glyphNames[glyph]; ok {
		return s
	}
	if len(glyph) == 1 {
		return glyph
	}
	for _, prefix := range []string{"uni", "u"} {
		if digits, ok := strings.CutPrefix(glyph, prefix); ok && len(digits) >= 4 && len(digits) <= 6 {
			if v, err := strconv.ParseUint(digits, 16, 32); err == nil && utf8.ValidRune(rune(v)) {
				return string(rune(v))
			}
		}
	}
	if mark, ok := accents[glyph[min(1, len(glyph)):]]; ok {
		return composed(glyph[:1], mark)
	}
	return ""
}

// text is what codes say, and how far they reach in thousandths of the size.
func (o *font) text(codes []byte, spacing func(code int, bytes int) float64) (string, float64) {
	var b strings.Builder
	reach := 0.0
	for len(codes) > 0 {
		n := 1
		if o.unicode != nil {
			n = o.unicode.length(codes, o.wide)
		} else if o.wide {
			n = 2
		}
		n = min(n, len(codes))
		code := 0
		for _, c := range codes[:n] {
			code = code<<8 | int(c)
		}
		b.WriteString(o.character(code, n))
		width, ok := o.widths[code]
		if !ok {
			width = o.width
		}
		reach += width + spacing(code, n)
		codes = codes[n:]
	}
	return b.String(), reach
}

func (o *font) character(code, n int) string {
	if o.unicode != nil {
		if s, ok := o.unicode.find(code); ok {
			return s
		}
	}
	if !o.wide && n == 1 {
		return o.simple[code]
	}
	return ""
}

// fromUTF16 reads the texts of maps.
func fromUTF16(raw []byte) string {
	units := make([]uint16, 0, len(raw)/2)
	for i := 0; i+1 < len(raw); i += 2 {
		units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
	}
	return string(utf16.Decode(units))
}
