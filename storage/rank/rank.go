// Package rank finds the page of a long list that is at an offset, without walking
// to it: counts of blocks of rows say between which rows the page lies.
//
// The rows have numbers, which grow as they are made, and each row is in one or more
// lists and of a class, such as its status, which lists are filtered by. The
// database itself keeps the counts, in a table of this form and by three triggers,
// so that no statement can forget them:
//
//	CREATE TABLE thing_ranks (
//	    list  TEXT    NOT NULL,
//	    block INTEGER NOT NULL, -- the number of a row >> 9
//	    class TEXT    NOT NULL,
//	    items INTEGER NOT NULL,
//	    PRIMARY KEY (list, block, class)
//	) STRICT, WITHOUT ROWID;
//
//	CREATE TRIGGER things_come AFTER INSERT ON things BEGIN
//	    INSERT INTO thing_ranks (list, block, class, items) VALUES (NEW.list, NEW.number >> 9, NEW.status, 1)
//	        ON CONFLICT (list, block, class) DO UPDATE SET items = items + 1;
//	END;
//
//	CREATE TRIGGER things_go AFTER DELETE ON things BEGIN
//	    UPDATE thing_ranks SET items = items - 1 WHERE list = OLD.list AND block = OLD.number >> 9 AND class = OLD.status;
//	    DELETE FROM thing_ranks WHERE list = OLD.list AND block = OLD.number >> 9 AND class = OLD.status AND items = 0;
//	END;
//
// and one AFTER UPDATE OF status WHEN NEW.status <> OLD.status, which does both. With
// an index on (list, number), and one on (list, status, number) for filters, a page
// costs the same wherever it is; [Page] has how to read it. Numbers are dense where
// they are counted for each list, or for what several lists have in common:
//
//	SELECT coalesce(max(number), 0) + 1 FROM things WHERE list = $1
//
// A row that is made later than another has the greater number, unless that has
// been deleted.
package rank

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/drover-go/drover/storage"
)

// Table is the name of a table of counts.
type Table string

// Query selects a page.
type Query struct {
	// List is whose page it is.
	List string
	// Classes are those of the rows that count. Default all.
	Classes []string
	// Offset is how many rows are left out, Limit how many the page has at the most.
	Offset, Limit int
	// Desc begins with the greatest number.
	Desc bool
	// Within is the part of the list that counts. Default all of it.
	Within *Part
}

// Part is a part of a list.
type Part struct {
	// From and To are the numbers of its rows, both included.
	From, To int64
	// Count counts the rows of the list and the classes whose numbers are of from to to,
	// which are those of one block at the most.
	Count func(ctx context.Context, from, to int64) (int, error)
}

// Page says where a page is: what it has are, of the rows of its list and classes
// with numbers of From to To, in its order, Limit behind the first Skip. So this
// reads it, for a list in its order:
//
//	SELECT … FROM things WHERE list = $1 AND number BETWEEN $2 AND $3 ORDER BY number LIMIT $4 OFFSET $5
type Page struct {
	// Total is how many rows of the classes the list has.
	Total int
	// From and To are numbers of rows, both included.
	From, To int64
	// Skip is less than a block, Limit at most that of the query; 0 for a page that
	// has nothing.
	Skip, Limit int
}

// bits is how much a number is shifted to be that of its block: 512 rows each.
const bits = 9

// block is how many rows of a list are in a block.
type block struct {
	number int64
	items  int
}

func scanBlock(s storage.Scanner) (b block, err error) {
	err = s.Scan(&b.number, &b.items)
	return b, err
}

// Find says where a page is. It is to be read in the same transaction.
func (t Table) Find(ctx context.Context, q storage.Querier, query Query) (Page, error) {
	where, args := In("class", query.Classes, query.List)
	blocks, err := storage.Collect(ctx, q, scanBlock,
		`SELECT block, sum(items) FROM `+string(t)+` WHERE list = $1`+where+` GROUP BY block ORDER BY block`, args...)
	if err != nil {
		return Page{}, err
	}
	if query.Within != nil {
		if blocks, err = query.Within.of(ctx, blocks); err != nil {
			return Page{}, err
		}
	}
	if query.Desc {
		slices.Reverse(blocks)
	}
	p := find(blocks, query)
	if w := query.Within; w != nil && p.Limit > 0 {
		p.From, p.To = max(p.From, w.From), min(p.To, w.To)
	}
	return p, nil
}

// of are the blocks of the part, with the items that belong to it.
func (p *Part) of(ctx context.Context, all []block) (part []block, err error) {
	for _, b := range all {
		first := b.number << bits
		last := first | (1<<bits - 1)
		if last < p.From || first > p.To {
			continue
		}
		if first < p.From || last > p.To {
			if b.items, err = p.Count(ctx, max(first, p.From), min(last, p.To)); err != nil {
				return nil, err
			}
		}
		part = append(part, b)
	}
	return part, nil
}

// find looks for the page in blocks in the order of the query.
func find(blocks []block, query Query) (p Page) {
	first, last := -1, -1
	for i, b := range blocks {
		if first < 0 && query.Offset < p.Total+b.items {
			first, p.Skip = i, query.Offset-p.Total
		}
		if p.Total < query.Offset+query.Limit {
			last = i
		}
		p.Total += b.items
	}
	if first < 0 || query.Limit < 1 {
		return Page{Total: p.Total}
	}
	p.Limit = min(query.Limit, p.Total-query.Offset)
	low, high := blocks[first].number, blocks[last].number
	if query.Desc {
		low, high = high, low
	}
	p.From, p.To = low<<bits, high<<bits|(1<<bits-1)
	return p
}

// In is a condition that a column has one of the classes, for the end of a WHERE
// whose parameters are args; empty for none. It returns it with all parameters.
func In(column string, classes []string, args ...any) (condition string, all []any) {
	if len(classes) == 0 {
		return "", args
	}
	places := make([]string, len(classes))
	for i, c := range classes {
		args = append(args, c)
		places[i] = fmt.Sprintf("$%d", len(args))
	}
	return " AND " + column + " IN (" + strings.Join(places, ", ") + ")", args
}
