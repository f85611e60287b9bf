package pagedata

import "encoding/json"

// Page returns the JSON of as much of the data as fits into limit bytes, from
// an offset on: 0, or the Next of the page before. Offsets count rows over all
// tables; headings and values are on the first page. At least one row is on
// each page that has any left.
func (d Data) Page(offset, limit int) (json.RawMessage, error) {
	p := d
	p.Tables, p.Next = nil, 0
	if offset > 0 {
		p.Headings, p.Values = nil, nil
	}
	budget := p.fitHead(limit)
	at, used := 0, false
	for _, t := range d.Tables {
		first := min(max(offset-at, 0), len(t.Rows))
		at += len(t.Rows)
		if first == len(t.Rows) {
			continue
		}
		part := t
		part.From, part.Total, part.Rows = first, len(t.Rows), nil
		for _, row := range t.Rows[first:] {
			if budget -= size(row) + 1; budget < 0 && used {
				break
			}
			part.Rows, used = append(part.Rows, row), true
		}
		if len(part.Rows) > 0 {
			budget -= size(part.Columns) + size(part.Name) + 60
			p.Tables = append(p.Tables, part)
		}
		if left := len(t.Rows) - first - len(part.Rows); left > 0 {
			p.Next = at - left
			break
		}
	}
	return Marshal(p)
}

// fitHead cuts what is not in tables to half of the limit and returns what is
// left of all of it.
func (d *Data) fitHead(limit int) int {
	budget := limit / 2
	d.Headings = fit(d.Headings, &budget)
	d.Values = fit(d.Values, &budget)
	return limit - limit/2 + budget
}

func fit[T any](items []T, budget *int) []T {
	for i := range items {
		if *budget -= size(items[i]) + 1; *budget < 0 {
			*budget = 0
			return items[:i]
		}
	}
	return items
}

func size(v any) int {
	raw, err := Marshal(v)
	if err != nil {
		return 0
	}
	return len(raw)
}

// Add puts a page behind the pages read before it.
func (d *Data) Add(next Data) {
	if d.URL == "" {
		*d = next
		return
	}
	for _, t := range next.Tables {
		if last := len(d.Tables) - 1; last >= 0 && t.From > 0 && t.From == d.Tables[last].From+len(d.Tables[last].Rows) {
			d.Tables[last].Rows = append(d.Tables[last].Rows, t.Rows...)
			continue
		}
		d.Tables = append(d.Tables, t)
	}
	d.Next = next.Next
	d.Incomplete = d.Incomplete || next.Incomplete
}
