package records

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/projects"
)

// maxPage is the largest page of stores, and the one where none is asked for.
const maxPage = 1000

func (s *service) Create(ctx context.Context, kind Kind, n New) (_ Store, created bool, err error) {
	defer errtypes.Wrap(&err, "records.Create(%q)", n.Name)
	project, err := s.conf.Projects.Current(ctx)
	if err != nil {
		return Store{}, false, err
	}
	n.GeneralAccess = cmp.Or(n.GeneralAccess, GeneralAccesses[0])
	if err := s.check(kind, n); err != nil {
		return Store{}, false, err
	}
	made := Store{
		ID: ids.NewShort(), Kind: kind, Name: n.Name, Title: n.Title, GeneralAccess: n.GeneralAccess, Schema: n.Schema,
		ActID: n.ActID, ActRunID: n.ActRunID, CreatedAt: s.conf.Clock.Now(),
	}
	var r row
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if r, err = insertStore(ctx, tx, project.ID, made); err == nil {
			r.Fields, err = fieldsOf(ctx, tx, r)
		}
		return err
	})
	return s.complete(r.Store, project), r.ID == made.ID, err
}

func (s *service) check(kind Kind, n New) error {
	if !slices.Contains([]Kind{KeyValueStore, Dataset, RequestQueue}, kind) {
		return errtypes.Field("kind", "must be %s, %s or %s", KeyValueStore, Dataset, RequestQueue)
	}
	if n.Name != "" {
		if err := checkName(n.Name); err != nil {
			return err
		}
	}
	return cmp.Or(checkText("title", n.Title), checkText("actId", n.ActID), checkText("actRunId", n.ActRunID),
		checkAccess(n.GeneralAccess), s.checkSchema(kind, n))
}

func (s *service) CheckSchema(kind Kind, schema json.RawMessage) (err error) {
	defer errtypes.Wrap(&err, "records.CheckSchema")
	return s.checkSchema(kind, New{Schema: schema})
}

func checkAccess(access string) error {
	if !slices.Contains(GeneralAccesses, access) {
		return errtypes.Field("generalAccess", "must be one of %q", GeneralAccesses)
	}
	return nil
}

// checkSchema refuses what is no object. That of an unnamed dataset is validated
// with: see schemaOf.
func (s *service) checkSchema(kind Kind, n New) error {
	if len(n.Schema) == 0 {
		return nil
	}
	var object map[string]json.RawMessage
	if int64(len(n.Schema)) > s.conf.Limits.MaxSchema || json.Unmarshal(n.Schema, &object) != nil || object == nil {
		return errtypes.Field("schema", "must be an object of at most %d bytes", s.conf.Limits.MaxSchema)
	}
	if _, err := s.checker(row{Store: Store{Kind: kind, Name: n.Name, Schema: n.Schema}}); kind == Dataset && err != nil {
		return errtypes.OfType(errtypes.TypeDatasetSchemaInvalid, "%s", errtypes.Public(err).Message)
	}
	return nil
}

// fieldsOf are the names of the fields that items of a dataset have; nil of another
// store.
func fieldsOf(ctx context.Context, q storage.Querier, r row) ([]string, error) {
	if r.Kind != Dataset {
		return nil, nil
	}
	names, err := fieldNames(ctx, q, r.number)
	return append([]string{}, names...), err
}

// complete fills in what is not in the row.
func (s *service) complete(st Store, p projects.Project) Store {
	st.UserID, st.Username = p.UserID, p.Username
	st.SigningSecret = s.secretOf(st.ID)
	s.use.addTo(&st)
	if st.Name == "" && s.conf.Retention >= 0 {
		st.ExpiresAt = st.AccessedAt.Add(s.conf.Retention)
	}
	return st
}

func (s *service) Get(ctx context.Context, kind Kind, store string) (_ Store, err error) {
	defer errtypes.Wrap(&err, "records.Get(%q)", store)
	r, err := s.ref(ctx, kind, store)
	if err != nil {
		return Store{}, err
	}
	st, err := storage.ReadOne(ctx, s.conf.DB, func(ctx context.Context, q storage.Querier) (Store, error) {
		found, err := findStore(ctx, q, r)
		if err == nil {
			found.Fields, err = fieldsOf(ctx, q, found)
		}
		return found.Store, err
	})
	return s.complete(st, r.project), err
}

func (s *service) List(ctx context.Context, kind Kind, q Query) (page Page, err error) {
	defer errtypes.Wrap(&err, "records.List")
	project, err := s.conf.Projects.Current(ctx)
	if err != nil {
		return Page{}, err
	}
	if q.Offset < 0 || q.Limit < 0 {
		return Page{}, errtypes.Field(map[bool]string{true: "offset", false: "limit"}[q.Offset < 0], "must not be below 0")
	}
	if q.Limit = min(q.Limit, maxPage); q.Limit == 0 {
		q.Limit = maxPage
	}
	page = Page{Query: q, Stores: []Store{}}
	err = s.conf.DB.Read(ctx, func(ctx context.Context, r storage.Querier) error {
		if page.Total, err = countStores(ctx, r, project.ID, kind, q); err != nil {
			return err
		}
		rows, err := listStores(ctx, r, project.ID, kind, q)
		for _, r := range rows {
			page.Stores = append(page.Stores, s.complete(r.Store, project))
		}
		return err
	})
	return page, err
}

func (s *service) Update(ctx context.Context, kind Kind, store string, u Update) (_ Store, err error) {
	defer errtypes.Wrap(&err, "records.Update(%q)", store)
	r, err := s.ref(ctx, kind, store)
	if err != nil {
		return Store{}, err
	}
	if err := u.check(); err != nil {
		return Store{}, err
	}
	var changed row
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if changed, err = updateStore(ctx, tx, r, u, s.now()); err == nil {
			changed.Fields, err = fieldsOf(ctx, tx, changed)
		}
		return err
	})
	if errors.Is(err, storage.ErrConflict) {
		err = errtypes.OfType(errtypes.TypeNameNotUnique, "%s with the name %q exists", kind.label(), *u.Name)
	}
	return s.complete(changed.Store, r.project), err
}

func (u Update) check() error {
	if u.Name != nil && *u.Name != "" {
		if err := checkName(*u.Name); err != nil {
			return err
		}
	}
	if u.GeneralAccess != nil {
		if err := checkAccess(*u.GeneralAccess); err != nil {
			return err
		}
	}
	if u.Title != nil {
		return checkText("title", *u.Title)
	}
	return nil
}
