package shape

// fillObject fills the properties of a view; nil if none is found.
func (sh *shaper) fillObject(v *view, s scope) *node {
	if s.depth > sh.o.MaxDepth {
		return nil
	}
	n := &node{kind: object, order: v.names}
	s.alone = len(v.props) == 1
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

// fillValue fills a value of the first of the types that a view asks for and the
// page has.
func (sh *shaper) fillValue(p *prop, v *view, s scope) (n *node) {
	if !v.typed || v.types&(typeArray|typeObject) == 0 || v.Enum != nil {
		return sh.fillScalar(p, v, s)
	}
	for i := 0; i < len(v.order) && n == nil; i++ {
		switch t := v.order[i] & v.types; {
		case t&typeArray != 0:
			n = sh.fillArray(p, v, s)
		case t&typeObject != 0:
			n = sh.fillMember(p, v, s)
		case t&scalarTypes != 0:
			n = sh.fillScalar(p, v, s)
		}
	}
	return n
}

// fillScalar takes the first value that can be brought into the type and
// passes. Behind a date for people that cannot be read no other is taken.
func (sh *shaper) fillScalar(p *prop, v *view, s scope) *node {
	if s.outer != nil {
		if p = inner(s.outer, p); p == nil {
			return nil
		}
	}
	for _, c := range sh.search(p, s) {
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
				return nil
			case n == nil, sh.isShownZero(p, n):
			case !sh.isNoPrice(p, n):
				return sh.shortened(p, v, s, sh.firmNamed(p, v, s, sh.reduced(p, v, s, n)))
			case isGone(c.entity):
				return nil
			}
		}
	}
	return sh.derive(p, v, s)
}

// isText reports whether a value is a string, or null.
func (v *view) isText() bool { return v.typed && v.types&^typeNull == typeString }
