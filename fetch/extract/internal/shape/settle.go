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
	r := &Result{sh: sh, node: n, top: top}
	for round := 0; ; round++ {
		wrong, err := sh.violations(n, top)
		if err != nil {
			return nil, err
		}
		r.Unsatisfied = placesOf(wrong)
		if round == maxRounds || !removeWrong(n, wrong) && !sh.fewer(n, sh.view(top), wrong) {
			break
		}
	}
	r.Steps = sh.m.Taken()
	var b bytes.Buffer
	n.write(&b, "", &r.Origins)
	r.Content = b.Bytes()
	return r, nil
}

// violations checks the whole.
func (sh *shaper) violations(n *node, top *schema.Outline) ([]schema.Violation, error) {
	taken, err := sh.schema.ValidatePart(top, n.plain(), sh.o.MaxWork-sh.m.Taken())
	sh.m.Step(taken)
	var m *schema.Mismatch
	switch {
	case errors.As(err, &m):
		return m.Violations, nil
	case errors.Is(err, schema.ErrTooMuchWork):
		sh.m.GiveUp("the schema takes too many steps")
	}
	return nil, err
}

// placesOf returns the places that violations are about, each once: the
// properties that are missing, or what is wrong.
func placesOf(wrong []schema.Violation) (open []string) {
	for _, v := range wrong {
		places := []string{v.Instance}
		if len(v.Missing) > 0 {
			places = nil
			for _, name := range v.Missing {
				places = append(places, v.Instance+"/"+escapeToken(name))
			}
		}
		for _, place := range places {
			if len(open) < maxOpen && !slices.Contains(open, place) {
				open = append(open, place)
			}
		}
	}
	return open
}

// removeWrong takes out what is wrong, the last first, so that taking one out
// does not move another. What only misses something stays.
func removeWrong(n *node, wrong []schema.Violation) (removed bool) {
	for _, v := range slices.Backward(wrong) {
		if len(v.Missing) == 0 && v.Instance != "" {
			removed = n.remove(v.Instance) || removed
		}
	}
	return removed
}

// maxFewer is how many members an object may have of which some are taken out
// for the rest to match.
const maxFewer = 24

// fewer takes members out of the whole where it breaks a rule for all of them
// together (maxProperties, not, oneOf) that it does not break with less: one of
// them if that is enough, the last first, else from the end on. What is required
// and what misses nothing stays. Where nothing helps, all of it stays.
func (sh *shaper) fewer(n *node, r *view, wrong []schema.Violation) bool {
	ofPart := func(v schema.Violation) bool { return len(v.Missing) > 0 || v.Instance != "" }
	if len(wrong) == 0 || slices.ContainsFunc(wrong, ofPart) || len(n.members) > maxFewer {
		return false
	}
	all, rest := n.members, slices.Clone(n.members)
	for i, m := range slices.Backward(all) {
		if slices.Contains(r.Required, m.name) {
			continue
		}
		rest = slices.Delete(rest, i, i+1)
		for _, members := range [][]member{slices.Delete(slices.Clone(all), i, i+1), rest} {
			n.members = members
			if (len(members) > 0 || len(all) == 1) && sh.passes(r.outline, n) {
				return true
			}
		}
	}
	n.members = all
	return false
}
