package shape

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/schema"
)

// gap is something that is wrong with a value, with what the schema says of each
// of the members that are missing.
type gap struct {
	schema.Violation
	parts []part
}

// part is what the schema says of a value: a subschema, or only the members of
// an enum where several alternatives have one each.
type part struct {
	outline *schema.Outline
	enum    []any
}

// explain says of what is wrong with a value as a whole which of its members are
// missing, if that is all: of the alternatives of anyOf and oneOf those of the
// one that it has the most of, and where it could be several of them what would
// tell them apart. Others it returns as they are.
func (sh *shaper) explain(n *node, o *schema.Outline, wrong []schema.Violation, depth int) []gap {
	var all []gap
	for _, v := range wrong {
		whole, sub := n.at(v.Instance), sh.partAtOr(o, v.Instance)
		switch {
		case len(v.Missing) > 0:
			all = append(all, sh.gapOf(o, v))
			continue
		case depth < maxAlternatives && whole != nil && whole.kind == object && sub != nil && isAlternative(v.Keyword):
			if told := sh.alternatives(whole, sub, v, depth); told != nil {
				all = append(all, told...)
				continue
			}
		}
		all = append(all, gap{Violation: v})
	}
	return all
}

// maxAlternatives is how many alternatives may stand in each other to be looked
// into.
const maxAlternatives = 4

func isAlternative(keyword string) bool {
	return strings.HasSuffix(keyword, "/anyOf") || strings.HasSuffix(keyword, "/oneOf")
}

func (sh *shaper) gapOf(o *schema.Outline, v schema.Violation) gap {
	g := gap{Violation: v}
	for _, pointer := range pointersOf(v) {
		g.parts = append(g.parts, part{outline: sh.partAt(o, pointer)})
	}
	return g
}

// alternatives explains a violation of anyOf or oneOf.
func (sh *shaper) alternatives(n *node, o *schema.Outline, v schema.Violation, depth int) (all []gap) {
	for _, group := range sh.view(o).choices {
		for _, g := range sh.missingOf(n, group, depth) {
			g.Instance = v.Instance + g.Instance
			all = append(all, g)
		}
	}
	return all
}

// missingOf returns what a value misses to be one of several alternatives; none
// where it is one, or where something else is wrong.
func (sh *shaper) missingOf(n *node, group []*schema.Outline, depth int) []gap {
	var best []gap
	most, fitting := 0, 0
	for _, choice := range group[:min(len(group), maxVariants)] {
		wrong := sh.explain(n, choice, sh.check(n, choice), depth+1)
		if len(wrong) == 0 {
			fitting++
			continue
		}
		if slices.ContainsFunc(wrong, func(g gap) bool { return len(g.Missing) == 0 }) {
			continue
		}
		if points := sh.hasOf(n, choice)*100 - countMissing(wrong); best == nil || points > most {
			best, most = wrong, points
		}
	}
	switch {
	case fitting == 1:
		return nil
	case fitting > 1:
		return sh.undecided(n, group)
	}
	return best
}

// check returns what is wrong with a value for a part of the schema.
func (sh *shaper) check(n *node, o *schema.Outline) []schema.Violation {
	taken, err := sh.schema.ValidatePart(o, n.plain(), validationSteps)
	sh.m.Step(taken + n.filled)
	var m *schema.Mismatch
	if errors.As(err, &m) {
		return m.Violations
	}
	if err != nil {
		return []schema.Violation{{Message: "cannot be checked"}}
	}
	return nil
}

// hasOf counts the members that a value has of an alternative.
func (sh *shaper) hasOf(n *node, o *schema.Outline) int {
	count := 0
	for _, p := range sh.view(o).props {
		if n.member(p.name) != nil {
			count++
		}
	}
	return count
}

func countMissing(list []gap) int {
	n := 0
	for _, g := range list {
		n += len(g.Missing)
	}
	return n
}

// undecided returns the members that all alternatives give other constants, and
// that a value does not have: it could be several of them.
func (sh *shaper) undecided(n *node, group []*schema.Outline) []gap {
	var g gap
	for _, p := range sh.view(group[0]).props {
		var constants []any
		for _, choice := range group {
			if sub := sh.partOf(choice, p.name); sub != nil && sh.view(sub).enum != nil {
				constants = append(constants, sh.view(sub).enum...)
			}
		}
		if n.member(p.name) == nil && len(constants) >= len(group) {
			g.Missing, g.parts = append(g.Missing, p.name), append(g.parts, part{enum: constants})
		}
	}
	if len(g.Missing) == 0 {
		return nil
	}
	return []gap{g}
}

// partAtOr is partAt, and the schema itself for the whole.
func (sh *shaper) partAtOr(o *schema.Outline, pointer string) *schema.Outline {
	if pointer == "" {
		return o
	}
	return sh.partAt(o, pointer)
}

// at returns what a JSON Pointer leads to, nil if nothing is there.
func (n *node) at(pointer string) *node {
	for pointer != "" && n != nil {
		token, rest, deeper := strings.Cut(pointer[1:], "/")
		if pointer = ""; deeper {
			pointer = "/" + rest
		}
		name := tokenUnescaper.Replace(token)
		if n.kind != array {
			n = n.member(name)
			continue
		}
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(n.items) {
			return nil
		}
		n = n.items[i]
	}
	return n
}

// member returns the member of a name, nil if there is none.
func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.node
		}
	}
	return nil
}
