package blocks

// A body is the innermost element that holds a share of what the first guess
// takes for content: what lies beside it, and above all behind it, is seldom
// part of it.
type body struct {
	from, to int // its blocks
	// branches are, for each element that does not hold the body, the outermost
	// around it of which that is true too, or the one right below the body; -1
	// for the others. climbs are how far up that is, 0 for the others.
	branches, climbs []int32
}

// bodyShares are the shares of the guessed words that the bodies hold.
var bodyShares = [...]float64{0.6, 0.9}

// findBody finds the element that holds so much of the guessed words.
func (s *smoother) findBody(share float64) body {
	whole := s.before[len(s.guess)]
	b := body{to: len(s.guess), branches: make([]int32, len(s.elems)), climbs: make([]int32, len(s.elems))}
	for i := range s.elems {
		if e := &s.elems[i]; whole > 0 && s.before[e.to]-s.before[e.from] >= share*whole {
			b.from, b.to = int(e.from), int(e.to)
		}
	}
	for i := range s.elems {
		e := &s.elems[i]
		switch {
		case int(e.from) <= b.from && b.to <= int(e.to):
			b.branches[i] = -1
		case e.parent < 0 || b.branches[e.parent] < 0:
			b.branches[i], b.climbs[i] = int32(i), 1
		default:
			b.branches[i], b.climbs[i] = b.branches[e.parent], b.climbs[e.parent]+1
		}
	}
	return b
}

// findBodies fills bodies, sure and next.
func (s *smoother) findBodies() {
	for k, share := range bodyShares {
		s.bodies[k] = s.findBody(share)
	}
	n := len(s.guess)
	s.sure, s.next = make([]int32, n), make([]int32, n)
	last := int32(-1)
	for i := range s.guess {
		s.sure[i] = last
		if s.isSure(i) {
			last = int32(i)
		}
	}
	last = int32(n)
	for i := n - 1; i >= 0; i-- {
		s.next[i] = last
		if s.isSure(i) {
			last = int32(i)
		}
	}
	s.step(2*len(bodyShares)*len(s.elems) + 2*n)
}

// isSure reports whether the first guess is that a block is sentences of the
// content.
func (s *smoother) isSure(i int) bool { return s.guess[i] >= 0.5 && s.Blocks[i].isProse() }

// bodyFeatures is about where the block lies to the bodies.
func (s *smoother) bodyFeatures(r *row, i int) {
	whole := max(s.before[len(s.guess)], 0.01)
	e := s.Blocks[i].elem
	for _, b := range s.bodies {
		r.add("from body", float64(max(i-b.to+1, 0)-max(b.from-i, 0)))
		r.add("apart from body", float64(b.climbs[e]))
		s.branchFeatures(r, b.branches[e], whole)
	}
	r.add("guess share before", s.before[i]/whole)
	r.add("guess share of path", s.paths[s.Blocks[i].path].yes/whole)
	r.add("since sure", float64(min(i-int(s.sure[i]), 99)))
	r.add("until sure", float64(min(int(s.next[i])-i, 99)))
	from := max(int(s.sure[i])+1, 0)
	r.count("words since sure", int(s.between(from, i).words))
	r.add("links since sure", ratio(s.between(from, i+1).links, s.between(from, i+1).words))
}

func (s *smoother) branchFeatures(r *row, branch int32, whole float64) {
	if branch < 0 {
		for range 5 {
			r.add("branch", -1)
		}
		return
	}
	e, sum := &s.elems[branch], s.within(branch)
	r.count("branch words", int(sum.words))
	r.add("branch links", ratio(sum.links, sum.words))
	r.add("branch prose", ratio(sum.prose, sum.words))
	r.add("branch guess", s.of(branch))
	r.add("branch share", (s.before[e.to]-s.before[e.from])/whole)
}
