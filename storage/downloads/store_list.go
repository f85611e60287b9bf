package downloads

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/storage"
)

// statement is one that grows with the filters that are given, so that each
// finds the index made for it.
type statement struct {
	text string
	args []any
}

// add appends text and the value of the parameter that ends it.
func (s *statement) add(text string, value any) {
	s.args = append(s.args, value)
	s.text += " " + text + " $" + strconv.Itoa(len(s.args))
}

// selected begins with a SELECT and goes on with the conditions of a query.
func selected(from, projectID string, q Query) *statement {
	s := &statement{text: from}
	s.add("WHERE project_id =", projectID)
	s.add("AND session_id =", q.SessionID)
	if q.Filename != "" {
		s.add("AND filename =", q.Filename)
	}
	if q.MIMEType != "" {
		s.add("AND mime_type =", strings.ToLower(q.MIMEType))
	}
	if !q.CreatedAfter.IsZero() {
		s.add("AND created_at >=", firstMillis(q.CreatedAfter))
	}
	if !q.CreatedBefore.IsZero() {
		s.add("AND created_at <=", q.CreatedBefore.UnixMilli())
	}
	if q.MinSize != nil {
		s.add("AND size >=", *q.MinSize)
	}
	if q.MaxSize != nil {
		s.add("AND size <=", *q.MaxSize)
	}
	return s
}

func pageStatement(projectID string, q Query) *statement {
	s := selected(selectRows, projectID, q)
	s.add("ORDER BY created_at DESC, id DESC LIMIT", q.Limit)
	s.add("OFFSET", q.Offset)
	return s
}

func listRows(ctx context.Context, q storage.Querier, projectID string, f Query) ([]Download, error) {
	s := pageStatement(projectID, f)
	return storage.Collect(ctx, q, scanDownload, s.text, s.args...)
}

func totalStatement(projectID string, q Query) *statement {
	return selected(`SELECT count(*) FROM downloads`, projectID, q)
}

func countRows(ctx context.Context, q storage.Querier, projectID string, f Query) (n int, err error) {
	s := totalStatement(projectID, f)
	err = q.QueryRow(ctx, s.text, s.args...).Scan(&n)
	return n, err
}

// firstMillis is the first millisecond that is not before t.
func firstMillis(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }
