package shape

import (
	"bytes"
	"errors"
	"slices"

	"github.com/drover-go/drover/internal/schema"
)

// maxRounds is how often what does not pass is taken out before the rest is
// given as it is.
const maxRounds = 8

// maxOpen is how many places are named that are unsatisfied: those of the whole
// come first, then those of the items of lists.
const maxOpen = 100

// settle checks the whole, takes out what does not pass, and writes the result.
func (sh *shaper) settle(n *node, top *schema.Outline) (*Result, error) {
	var open []string
	for round := 0; ; round++ {
		wrong, err := sh.violations(n, top)
		if err != nil {
			return nil, err
		}
		open = nil
		clear(sh.parts)
		for _, g := range wrong {
			pointers := pointersOf(g.Violation)
			open = append(open, pointers...)
			for i := range g.parts {
				sh.parts[pointers[i]] = g.parts[i]
			}
		}
		if round == maxRounds || !removeWrong(n, wrong) && !sh.fewer(n, sh.view(top), wrong) {
			break
		}
	}
	var b bytes.Buffer
	open = onceInOrder(open)
	r := &Result{Unsatisfied: open[:min(len(open), maxOpen)], Steps: sh.m.Taken(), sh: sh, node: n, top: top}
	n.write(&b, "", &r.Origins)
	r.Content = b.Bytes()
	return r, nil
}

// removeWrong takes out what is wrong, the last first, so that taking one out
// does not move another. What only misses something stays.
func removeWrong(n *node, wrong []gap) (removed bool) {
	for _, v := range slices.Backward(wrong) {
		if len(v.Missing) == 0 && v.Instance != "" {
			removed = n.remove(v.Instance) || removed
		}
	}
	return removed
}

// pointersOf returns the places that a violation is about: the properties that
// are missing, or what is wrong.
func pointersOf(v schema.Violation) []string {
	if len(v.Missing) == 0 {
		return []string{v.Instance}
	}
	var list []string
	for _, name := range v.Missing {
		list = append(list, v.Instance+"/"+escapeToken(name))
	}
	return list
}

// onceInOrder drops what came before.
func onceInOrder(list []string) (all []string) {
	known := map[string]bool{}
	for _, s := range list {
		if !known[s] {
			known[s], all = true, append(all, s)
		}
	}
	return all
}

// violations checks the whole.
func (sh *shaper) violations(n *node, top *schema.Outline) ([]gap, error) {
	taken, err := sh.schema.ValidatePart(top, n.plain(), sh.o.MaxWork-sh.m.Taken())
	sh.m.Step(taken)
	var m *schema.Mismatch
	switch {
	case err == nil:
		return nil, nil
	case errors.As(err, &m):
		return sh.explain(n, top, m.Violations, 0), nil
	case errors.Is(err, schema.ErrTooMuchWork):
		sh.m.GiveUp("the schema takes too many steps")
	}
	return nil, err
}
