package markdown

import "bytes"

// tidy leaves at most one empty line between blocks, no spaces before it, and
// the line breaks of code where their marks stand.
func tidy(md []byte) []byte {
	out := limitBreaks(bytes.TrimSpace(md))
	for _, late := range []string{"  \n\n", "  \n  \n", "  \n \n"} {
		out = replaceAll(out, late, "\n\n")
	}
	return replaceAll(out, string(newlineMark), "\n")
}

// replaceAll copies only what changes.
func replaceAll(text []byte, old, new string) []byte {
	if !bytes.Contains(text, []byte(old)) {
		return text
	}
	return bytes.ReplaceAll(text, []byte(old), []byte(new))
}

// limitBreaks drops, of line breaks with nothing but spaces between, those
// after the second.
func limitBreaks(md []byte) []byte {
	out := make([]byte, 0, len(md))
	for len(md) > 0 {
		i := bytes.IndexByte(md, '\n')
		if i < 0 {
			return append(out, md...)
		}
		end := i
		for end < len(md) && (md[end] == '\n' || md[end] == ' ') {
			end++
		}
		out = append(out, md[:i]...)
		out = appendBreaks(out, md[i:end])
		md = md[end:]
	}
	return out
}

// appendBreaks appends a run of line breaks and spaces.
func appendBreaks(out, run []byte) []byte {
	breaks, spaces := 0, 0
	for i, c := range run {
		if c == ' ' {
			spaces++
			continue
		}
		if breaks++; breaks <= 2 {
			out = append(append(out, run[i-spaces:i]...), '\n')
		}
		spaces = 0
	}
	return append(out, run[len(run)-spaces:]...)
}
