package blocks

import "golang.org/x/net/html/atom"

// headingKinds are the phrases that are looked for in headings.
var headingKinds = [...]int{2, 6, 9, 12, 13, 15, 16}

// asides are the phrases of headings behind which there is often no content:
// what is related, reviews, comments, questions.
var asides = [...]int{9, 13, 15, 16}

func (f *featurer) clear() {
	f.heading = -1
	for i := range f.above {
		f.above[i] = -1
	}
	for i := range f.since {
		f.since[i] = -1
	}
}

// enterSection takes note of a heading.
func (f *featurer) enterSection(i int) {
	f.heading = i
	level := headingLevel(f.Blocks[i].tag)
	f.above[level] = i
	for l := level + 1; l < len(f.above); l++ {
		f.above[l] = -1
	}
	for k, kind := range asides {
		if f.said[i].kinds&(1<<kind) != 0 {
			f.since[k] = i
		}
	}
}

// underHeading is about the headings that the block stands under.
func (f *featurer) underHeading(r *row, i int) {
	var kinds uint32
	level, distance := 0, 99
	if f.heading >= 0 {
		kinds = f.said[f.heading].kinds
		level = headingLevel(f.Blocks[f.heading].tag)
		distance = min(i-f.heading, 99)
	}
	r.add("heading distance", float64(distance))
	r.add("heading level", float64(level))
	for _, k := range headingKinds {
		r.flag(headingNames[k], kinds&(1<<k) != 0)
	}
	kinds = f.outerKinds()
	for _, k := range headingKinds {
		r.flag(outerNames[k], kinds&(1<<k) != 0)
	}
	for k, at := range f.since {
		v := -1.0
		if at >= 0 {
			v = float64(min(i-at, 300))
		}
		r.add(sinceNames[k], v)
	}
}

// outerKinds are the phrases of the outermost heading above but that of the
// page.
func (f *featurer) outerKinds() uint32 {
	for _, at := range f.above[2:] {
		if at >= 0 {
			return f.said[at].kinds
		}
	}
	return 0
}

func headingLevel(tag atom.Atom) int {
	switch tag {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4, atom.H5, atom.H6:
		return 4
	}
	return 5
}
