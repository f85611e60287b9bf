package shape

import "slices"

// maxFewer is how many members an object may have of which some are taken out
// for the rest to match.
const maxFewer = 24

// fewer takes members out of the whole where it breaks a rule for all of them
// together (maxProperties, not, oneOf) that it does not break with less: one of
// them if that is enough, the last first, else from the end on. What is required
// and what misses nothing stays. Where nothing helps, all of it stays.
func (sh *shaper) fewer(n *node, r *view, wrong []gap) bool {
	if n.kind != object || len(n.members) == 0 || len(n.members) > maxFewer || !ofWhole(wrong) {
		return false
	}
	passes := func(members []member) bool {
		rest := *n
		rest.members = members
		return sh.passes(r.outline, &rest)
	}
	rest := slices.Clone(n.members)
	for i, m := range slices.Backward(n.members) {
		if slices.Contains(r.need, m.name) {
			continue
		}
		if one := slices.Delete(slices.Clone(n.members), i, i+1); passes(one) {
			n.members = one
			return true
		}
		if rest = slices.Delete(rest, i, i+1); len(rest) > 0 && passes(rest) {
			n.members = rest
			return true
		}
	}
	return false
}

// ofWhole reports whether what is wrong is wrong with the whole, and nothing is
// missing.
func ofWhole(wrong []gap) bool {
	return len(wrong) > 0 && !slices.ContainsFunc(wrong, func(g gap) bool { return len(g.Missing) > 0 || g.Instance != "" })
}
