package protocolfuzz

import (
	"encoding/json"
	"strings"
	"sync"
)

// maxPool is how many values a pool has; later ones take the places of earlier
// ones.
const maxPool = 64

// Pools are the values that a browser has told of, by their type, or by the
// name of what they were told as. Several goroutines may use them.
type Pools struct {
	d *Description

	mu   sync.Mutex
	kept map[string]*ring
}

type ring struct {
	values []any
	next   int
}

// Pools returns pools that are empty but for addresses.
func (d *Description) Pools(addresses ...string) *Pools {
	p := &Pools{d: d, kept: map[string]*ring{}}
	for _, a := range addresses {
		p.keep("url", a)
	}
	return p
}

func (p *Pools) keep(pool string, v any) {
	r := p.kept[pool]
	if r == nil {
		r = &ring{}
		p.kept[pool] = r
	}
	for _, known := range r.values {
		if known == v {
			return
		}
	}
	if len(r.values) < maxPool {
		r.values = append(r.values, v)
		return
	}
	r.values[r.next%maxPool] = v
	r.next++
}

// Event takes in what an event says.
func (p *Pools) Event(method string, params json.RawMessage) {
	p.take(p.d.about[method].Parameters, params)
}

// Answer takes in what a command was answered.
func (p *Pools) Answer(method string, result json.RawMessage) {
	p.take(p.d.about[method].Returns, result)
}

func (p *Pools) take(list []property, raw json.RawMessage) {
	var v map[string]any
	if len(list) == 0 || json.Unmarshal(raw, &v) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	budget := 2000
	p.members(list, v, &budget)
}

func (p *Pools) members(list []property, v map[string]any, budget *int) {
	for _, member := range list {
		if value, ok := v[member.Name]; ok {
			p.learn(member, value, budget)
		}
	}
}

// learn keeps what is an id, a name or an address. The budget is how much is
// looked at.
func (p *Pools) learn(of property, v any, budget *int) {
	if *budget--; *budget < 0 {
		return
	}
	of, pool := p.d.resolve(of)
	switch v := v.(type) {
	case string:
		if pool != "" && len(v) < 1000 {
			p.keep(pool, v)
		}
	case float64:
		if pool != "" {
			p.keep(pool, v)
		}
	case []any:
		for _, item := range v {
			if of.Items != nil {
				p.learn(*of.Items, item, budget)
			}
		}
	case map[string]any:
		p.members(of.Properties, v, budget)
	}
}

// Fill puts values in the place of placeholders.
func (p *Pools) Fill(s Step) map[string]any {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.filled(s.Params).(map[string]any)
}

func (p *Pools) filled(v any) any {
	switch v := v.(type) {
	case pick:
		r := p.kept[v.pool]
		if r == nil { // an id may be known by its name alone
			_, name, _ := strings.Cut(v.pool, ".")
			r = p.kept[strings.ToLower(name)]
		}
		if r == nil {
			return p.filled(v.or)
		}
		return r.values[v.n%len(r.values)]
	case map[string]any:
		filled := make(map[string]any, len(v))
		for key, value := range v {
			filled[key] = p.filled(value)
		}
		return filled
	case []any:
		filled := make([]any, len(v))
		for i := range v {
			filled[i] = p.filled(v[i])
		}
		return filled
	}
	return v
}
