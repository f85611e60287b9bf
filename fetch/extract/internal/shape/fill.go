package shape

// fillObject fills the properties of a view; nil if none is found.
func (sh *shaper) fillObject(v *view, s scope) *node {
	if s.depth > sh.o.MaxDepth {
		return nil
	}
	n := &node{kind: object, order: v.names}
	for _, p := range v.props {
		sh.m.Step(1)
		if sub := sh.fillProp(p, s); sub != nil {
			n.add(p.name, sub)
		}
	}
	if len(n.members) == 0 {
		return nil
	}
	return n
}

// fillProp fills one property, in the first of the ways that its schema allows
// and that passes. What is required is better incomplete than not there.
func (sh *shaper) fillProp(p *prop, s scope) *node {
	var incomplete *node
	for _, v := range sh.variants(sh.view(p.sub)) {
		n := sh.fillValue(p, v, s)
		if n == nil {
			continue
		}
		if sh.passes(p.sub, n) {
			return n
		}
		if incomplete == nil && n.kind != scalar {
			incomplete = n
		}
	}
	if p.required || incomplete != nil && incomplete.kind == array {
		return incomplete
	}
	return nil
}

// fillValue fills a value of the kind that a view asks for.
func (sh *shaper) fillValue(p *prop, v *view, s scope) *node {
	switch {
	case v.typed && v.types&(typeArray|typeObject) == 0 || v.enum != nil:
		return sh.fillScalar(p, v, s)
	case !v.typed:
		return sh.fillAny(p, v, s)
	}
	kinds := v.order
	if len(kinds) == 0 {
		kinds = []types{v.types}
	}
	for _, t := range kinds {
		if n := sh.fillKind(p, v, s, t&v.types); n != nil {
			return n
		}
	}
	return nil
}

func (sh *shaper) fillKind(p *prop, v *view, s scope, t types) *node {
	switch {
	case t&typeArray != 0:
		return sh.fillArray(p, v, s)
	case t&typeObject != 0:
		return sh.fillMember(p, v, s)
	case t&scalarTypes != 0:
		return sh.fillScalar(p, v, s)
	}
	return nil
}

// fillAny fills what may be of any type: with a list where there are several
// values, else with one.
func (sh *shaper) fillAny(p *prop, v *view, s scope) *node {
	if list := sh.search(p, s); len(list) > 0 && len(list[0].field.Values) > 1 {
		if n := sh.listOf(list[0], p, v); n != nil && len(n.items) > 1 {
			return n
		}
	}
	return sh.fillScalar(p, v, s)
}

// fillScalar takes the first value that can be brought into the type and
// passes.
func (sh *shaper) fillScalar(p *prop, v *view, s scope) *node {
	if s.outer != nil {
		p = inner(s.outer, p)
		if p == nil {
			return nil
		}
	}
	unread := false
	for _, c := range sh.search(p, s) {
		if unread && sh.isOtherDate(p, c) {
			continue
		}
		if n := sh.joined(p, v, c); n != nil {
			return n
		}
		c.field = wordiest(p, v, c.field)
		for i := range c.field.Values {
			f := found{c.entity, c.field.Name, c.field.Values[i]}
			if sh.isDoubtful(p, f) {
				continue
			}
			n := sh.scalar(p, v, f, 0)
			switch {
			case n == nil && sh.isUnreadDate(p, c, f):
				unread = true
			case n == nil, sh.isShownZero(p, n), isNoTime(p, n):
			case !sh.isNoPrice(p, n):
				return sh.reduced(p, v, s, n)
			case isGone(c.entity):
				return nil
			}
		}
	}
	return sh.derive(p, v, s)
}
