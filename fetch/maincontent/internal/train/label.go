package main

import (
	"strings"
	"unicode"
)

// tokens are the words that the score counts: runs of letters, digits and low
// lines, in small letters.
func tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r))
	})
}

// A measure is how much of what was kept is in the answer, and of the answer
// was kept, as words in multisets, with their harmonic mean.
type measure struct{ f1, precision, recall float64 }

func compare(got, want []string) measure {
	if len(got) == 0 || len(want) == 0 {
		if len(got) == len(want) {
			return measure{1, 1, 1}
		}
		return measure{}
	}
	counts := map[string]int{}
	for _, w := range want {
		counts[w]++
	}
	both := 0
	for _, w := range got {
		if counts[w] > 0 {
			counts[w]--
			both++
		}
	}
	b, g, w := float64(both), float64(len(got)), float64(len(want))
	return measure{2 * b / (g + w), b / g, b / w}
}

// maxCells bounds the table of an alignment.
const maxCells = 250_000_000

// label returns which share of each block's words the gold answer holds, found
// by aligning the words of the page with those of the answer.
func label(blocks [][]string, gold []string) []float32 {
	var page []string
	var of []int
	for i, b := range blocks {
		for _, w := range b {
			page = append(page, w)
			of = append(of, i)
		}
	}
	matched := make([]bool, len(page))
	if len(page)*len(gold) <= maxCells {
		align(page, gold, matched)
		dropStray(matched, of, blocks)
	}
	share := make([]float32, len(blocks))
	for i, m := range matched {
		if m {
			share[of[i]]++
		}
	}
	for i := range share {
		share[i] /= float32(max(len(blocks[i]), 1))
	}
	addGrams(share, blocks, gold)
	return share
}

const (
	moveUp = iota
	moveLeft
	moveFresh
	moveOn
)

// align finds the common subsequence that has the longest runs.
func align(page, gold []string, matched []bool) {
	ids := map[string]int32{}
	id := func(words []string) []int32 {
		out := make([]int32, len(words))
		for i, w := range words {
			if _, ok := ids[w]; !ok {
				ids[w] = int32(len(ids))
			}
			out[i] = ids[w]
		}
		return out
	}
	a, b := id(page), id(gold)
	width := len(b) + 1
	best, run := make([]int32, width), make([]int32, width)
	nextBest, nextRun := make([]int32, width), make([]int32, width)
	moves := make([]uint8, len(a)*width) // low bits: of best; bit 2: run goes on
	for i := range a {
		nextBest[0], nextRun[0] = 0, 0
		for j := 1; j < width; j++ {
			nextRun[j] = 0
			move := uint8(moveUp)
			score := best[j]
			if nextBest[j-1] > score {
				move, score = moveLeft, nextBest[j-1]
			}
			if a[i] == b[j-1] {
				fresh, on := best[j-1]+1, int32(0)
				if run[j-1] > 0 {
					on = run[j-1] + 2
				}
				nextRun[j] = max(fresh, on)
				if on > fresh {
					move |= 4
				}
				if nextRun[j] > score {
					move, score = move&4|moveFresh, nextRun[j]
				}
			}
			nextBest[j] = score
			moves[i*width+j] = move
		}
		best, nextBest, run, nextRun = nextBest, best, nextRun, run
	}
	i, j, inRun := len(a)-1, width-1, false
	for i >= 0 && j > 0 {
		m := moves[i*width+j]
		switch {
		case inRun || m&3 == moveFresh:
			matched[i] = true
			inRun = m&4 != 0
			i--
			j--
		case m&3 == moveLeft:
			j--
		default:
			i--
		}
	}
}

// dropStray unmarks matches that are neither a run of three words nor a whole
// block: they are chance.
func dropStray(matched []bool, of []int, blocks [][]string) {
	for i := 0; i < len(matched); {
		if !matched[i] {
			i++
			continue
		}
		j := i
		for j < len(matched) && matched[j] && of[j] == of[i] {
			j++
		}
		if j-i < 3 && j-i < len(blocks[of[i]]) {
			for k := i; k < j; k++ {
				matched[k] = false
			}
		}
		i = j
	}
}

// addGrams marks longer blocks whose words stand in the answer in another
// place, each text once.
func addGrams(share []float32, blocks [][]string, gold []string) {
	const n = 4
	grams, taken := map[string]bool{}, map[string]bool{}
	for i := 0; i+n <= len(gold); i++ {
		grams[strings.Join(gold[i:i+n], " ")] = true
	}
	for i, b := range blocks {
		if share[i] > 0.5 {
			taken[strings.Join(b, " ")] = true
		}
	}
	for i, b := range blocks {
		text := strings.Join(b, " ")
		if len(b) < n+2 || share[i] > 0.5 || taken[text] {
			continue
		}
		hits := 0
		for j := 0; j+n <= len(b); j++ {
			if grams[strings.Join(b[j:j+n], " ")] {
				hits++
			}
		}
		if s := float32(hits) / float32(len(b)-n+1); s > max(share[i], 0.6) {
			share[i] = s
			taken[text] = true
		}
	}
}
