package secrets

import "slices"

// Include has v take out what other does, from now on and for as long as v lives:
// also what other learns, and the codes that it makes. What several vaults have in
// common is held once, so that a text is searched once, however many there were. A
// vault that includes others is included by none.
func (v *Vault) Include(other *Vault) {
	if other == nil {
		return
	}
	other.mu.Lock()
	defer other.mu.Unlock()
	if slices.Contains(other.heirs, v) {
		return
	}
	other.heirs = append(other.heirs, v)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.learn(other.known())
	for _, t := range other.totps {
		if !slices.ContainsFunc(v.totps, t.same) {
			v.totps = append(v.totps, t)
		}
	}
	for _, c := range other.made {
		v.remember(c)
	}
}

// same reports whether two make the same codes of a variable.
func (m codeMaker) same(o codeMaker) bool {
	return m.name == o.name && m.digits == o.digits && m.period == o.period && m.hash().Size() == o.hash().Size() && string(m.key) == string(o.key)
}

// remember keeps a code that was made, here and where this vault is included: the
// newest of each variable.
func (v *Vault) remember(c madeCode) {
	if !slices.Contains(v.made, c) {
		v.made = append(v.made, c)
		v.makes++
		v.dropOldest(c.name)
	}
	for _, heir := range v.heirs {
		heir.mu.Lock()
		heir.remember(c)
		heir.mu.Unlock()
	}
}

func (v *Vault) dropOldest(name string) {
	most, n := 0, 0
	for _, t := range v.totps {
		if t.name == name {
			most += maxMade
		}
	}
	for _, c := range v.made {
		if c.name == name {
			n++
		}
	}
	if n > max(most, maxMade) {
		oldest := slices.IndexFunc(v.made, func(c madeCode) bool { return c.name == name })
		v.made = slices.Delete(v.made, oldest, oldest+1)
	}
}

// known is what is taken out, by name.
func (v *Vault) known() map[string][]string {
	all := map[string][]string{}
	for name, texts := range v.learned {
		all[name] = slices.Clone(texts)
	}
	for name, x := range v.vars {
		all[name] = append(all[name], x.Value)
		if x.TOTP != nil && x.TOTP.secret != x.Value {
			all[name] = append(all[name], x.TOTP.secret)
		}
	}
	return all
}
