package builds

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/rank"
)

// ranks counts the ranked builds of projects and owners.
const ranks rank.Table = "build_ranks"

// rank gives a build its place behind all others of the project, and its number. What
// is made later is never listed as made before, whatever the clock says.
func (s *service) rank(ctx context.Context, tx *storage.Tx, r *row, c Create) (err error) {
	place, created, err := lastPlace(ctx, tx, r.ProjectID)
	if err != nil {
		return err
	}
	r.place = sql.NullInt64{Int64: place + 1, Valid: true}
	if last := storage.Time(created); last.After(r.CreatedAt) {
		r.CreatedAt, r.UpdatedAt = last, last
	}
	if c.Number != nil {
		r.Number, err = c.Number(ctx, tx)
	}
	return err
}

// lastPlace is that of the newest build of a project, and when that was made.
func lastPlace(ctx context.Context, q storage.Querier, projectID string) (place, created int64, err error) {
	err = q.QueryRow(ctx, `SELECT place, created_at FROM builds WHERE project_id = $1 AND place IS NOT NULL ORDER BY place DESC LIMIT 1`, projectID).Scan(&place, &created)
	if errors.Is(err, storage.ErrNoRow) {
		err = nil
	}
	return place, created, err
}

// MaxPage is the most that Page returns.
const MaxPage = 1000

func (f PageFilter) validate() error {
	switch {
	case f.Offset < 0:
		return errtypes.Field("offset", "must be at least 0")
	case f.Limit < 0 || f.Limit > MaxPage:
		return errtypes.Field("limit", "must be from 1 to %d", MaxPage)
	}
	return nil
}

func (s *service) Page(ctx context.Context, f PageFilter) (l List, err error) {
	defer errtypes.Wrap(&err, "builds.Page")
	if err := f.validate(); err != nil {
		return l, err
	}
	if f.Limit == 0 {
		f.Limit = MaxPage
	}
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) (err error) {
		l, err = readPage(ctx, q, projectID, f)
		return err
	})
	return l, err
}

func readPage(ctx context.Context, q storage.Querier, projectID string, f PageFilter) (l List, err error) {
	list, column, of := "project/"+projectID, "project_id", projectID
	if f.OwnerID != "" {
		list, column, of = "owner/"+f.OwnerID, "owner_id", f.OwnerID
	}
	page, err := ranks.Find(ctx, q, rank.Query{List: list, Offset: f.Offset, Limit: f.Limit, Desc: f.Desc})
	if err != nil || page.Limit == 0 {
		return List{Total: page.Total}, err
	}
	order := ""
	if f.Desc {
		order = " DESC"
	}
	l.Total = page.Total
	l.Builds, err = storage.Collect(ctx, q, shortRows(projectID), `SELECT `+shortColumns+` FROM builds
		WHERE `+column+` = $1 AND place BETWEEN $2 AND $3 ORDER BY place`+order+` LIMIT $4 OFFSET $5`, of, page.From, page.To, page.Limit, page.Skip)
	return l, err
}

// shortColumns are those of a build in a list.
const shortColumns = `id, owner_id, status, stop_requested_at, created_at, expires_at, ended_at, number, meta`

// shortRows reads builds of a project as they are listed.
func shortRows(projectID string) func(s storage.Scanner) (Build, error) {
	return func(s storage.Scanner) (Build, error) {
		b := Build{ProjectID: projectID, Kind: Actor}
		var stop, ended sql.NullInt64
		var created, expires, number int64
		var meta sql.RawBytes
		err := s.Scan(&b.ID, &b.OwnerID, &b.Status, &stop, &created, &expires, &ended, &number, &meta)
		b.Stopping, b.Number, b.Meta = stop.Valid && !b.Status.Final(), int(number), bytes.Clone(meta)
		b.CreatedAt, b.ExpiresAt, b.EndedAt = storage.Time(created), storage.Time(expires), storage.Time(ended.Int64)
		return b, err
	}
}
