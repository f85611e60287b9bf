package shape

import (
	"bytes"
	"errors"
	"slices"
	"strings"

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
		wrong, err := sh.violations(n, top, 0)
		if errors.Is(err, schema.ErrTooMuchWork) {
			sh.m.GiveUp("the schema takes too many steps")
		}
		if err != nil {
			return nil, err
		}
		r.record(wrong)
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

// record keeps the places that are unsatisfied, each once, and what the schema
// says of them.
func (r *Result) record(wrong []gap) {
	r.Unsatisfied = nil
	clear(r.sh.parts)
	for _, g := range wrong {
		for i, pointer := range pointersOf(g.Violation) {
			if i < len(g.parts) {
				r.sh.parts[pointer] = g.parts[i]
			}
			if len(r.Unsatisfied) < maxOpen && !slices.Contains(r.Unsatisfied, pointer) {
				r.Unsatisfied = append(r.Unsatisfied, pointer)
			}
		}
	}
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

// maxFewer is how many members an object may have of which some are taken out
// for the rest to match.
const maxFewer = 24

// fewer takes members out of the whole where it breaks a rule for all of them
// together (maxProperties, not, oneOf) that it does not break with less: one of
// them if that is enough, the last first, else from the end on. What is required
// and what misses nothing stays. Where nothing helps, all of it stays.
func (sh *shaper) fewer(n *node, r *view, wrong []gap) bool {
	ofPart := func(g gap) bool { return len(g.Missing) > 0 || g.Instance != "" }
	if len(wrong) == 0 || slices.ContainsFunc(wrong, ofPart) || len(n.members) > maxFewer {
		return false
	}
	all, rest := n.members, slices.Clone(n.members)
	for i, m := range slices.Backward(all) {
		if slices.Contains(r.need, m.name) {
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

// gap is something that is wrong with a value, with what the schema says of each
// of the members that are missing.
type gap struct {
	schema.Violation
	parts []*schema.Outline
}

// maxAlternatives is how many alternatives may stand in each other to be looked
// into.
const maxAlternatives = 4

// violations checks a value and returns what is wrong with it; depth is how many
// alternatives it stands in.
func (sh *shaper) violations(n *node, o *schema.Outline, depth int) ([]gap, error) {
	most := validationSteps
	if depth == 0 {
		most = sh.o.MaxWork - sh.m.Taken()
	}
	taken, err := sh.schema.ValidatePart(o, n.plain(), most)
	sh.m.Step(taken + depth*n.filled)
	var m *schema.Mismatch
	if errors.As(err, &m) {
		return sh.explain(n, o, m.Violations, depth), nil
	}
	return nil, err
}

// explain says of what is wrong with a value as a whole which of its members are
// missing, if that is all: of the alternatives of anyOf and oneOf those of the
// one that it has the most of. Others it returns as they are.
func (sh *shaper) explain(n *node, o *schema.Outline, wrong []schema.Violation, depth int) (all []gap) {
	for _, v := range wrong {
		g := gap{Violation: v}
		if len(v.Missing) > 0 {
			for _, pointer := range pointersOf(v) {
				g.parts = append(g.parts, sh.partAt(o, tokensOf(pointer)))
			}
		}
		told := sh.alternatives(n, o, v, depth)
		if told == nil {
			told = []gap{g}
		}
		all = append(all, told...)
	}
	return all
}

// alternatives explains a violation of anyOf or oneOf.
func (sh *shaper) alternatives(n *node, o *schema.Outline, v schema.Violation, depth int) (all []gap) {
	if depth == maxAlternatives || !strings.HasSuffix(v.Keyword, "/anyOf") && !strings.HasSuffix(v.Keyword, "/oneOf") {
		return nil
	}
	at := tokensOf(v.Instance)
	n, o = n.at(at), sh.partAt(o, at)
	if n == nil || n.kind != object || o == nil {
		return nil
	}
	for _, group := range sh.view(o).choices {
		for _, g := range sh.missingOf(n, group, depth+1) {
			g.Instance = v.Instance + g.Instance
			all = append(all, g)
		}
	}
	return all
}

// missingOf returns what a value misses to be one of several alternatives; none
// where it is one, or where something else is wrong.
func (sh *shaper) missingOf(n *node, group []*schema.Outline, depth int) (best []gap) {
	most := 0
	for _, choice := range group[:min(len(group), maxVariants)] {
		wrong, err := sh.violations(n, choice, depth)
		if err == nil && len(wrong) == 0 {
			return nil
		}
		points, onlyMissing := 0, err == nil
		for _, g := range wrong {
			points -= len(g.Missing)
			onlyMissing = onlyMissing && len(g.Missing) > 0
		}
		for _, p := range sh.view(choice).props {
			if n.member(p.name) != nil {
				points += 100
			}
		}
		if onlyMissing && (best == nil || points > most) {
			best, most = wrong, points
		}
	}
	return best
}
