package blocks

// A trigram is a hash of the last three words of a text.
type trigram struct{ words [3]uint64 }

func (t *trigram) next(word []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range word {
		h = (h ^ uint64(c)) * 1099511628211
	}
	t.words = [3]uint64{t.words[1], t.words[2], h}
	h = (t.words[0]*31+t.words[1])*31 + t.words[2]
	return h ^ h>>29
}

// sketchBits is the size of a sketch; it is much larger than the number of
// runs of words that are put in.
const sketchBits = 1 << 17

// A sketch is a set of runs of three words. It may hold a few that were not
// put in.
type sketch []uint64

// dataWords is how many words of a page's data are put into a sketch.
const dataWords = 8000

// add puts the runs of a text in.
func (s *sketch) add(text string) {
	if *s == nil {
		*s = make(sketch, sketchBits/64)
	}
	var run trigram
	n := 0
	eachWord(text, dataWords, func(w []byte) {
		h := run.next(w) % sketchBits
		if n++; n >= 3 {
			(*s)[h/64] |= 1 << (h % 64)
		}
	})
}

func (s sketch) has(h uint64) int {
	if s == nil {
		return 0
	}
	h %= sketchBits
	return int(s[h/64] >> (h % 64) & 1)
}
