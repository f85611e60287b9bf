package functions

import (
	"context"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/sealed"
	"github.com/drover-go/drover/storage"
)

// passwords are the settings of published versions that have some, of proxies.
var passwords = sealed.Keys{
	Thing:   "function version",
	List:    `SELECT id, session_sealed FROM function_versions WHERE session_sealed IS NOT NULL ORDER BY id`,
	Replace: `UPDATE function_versions SET session_sealed = $2 WHERE id = $1 AND session_sealed = $3`,
}

// Sealed returns what lies sealed in the rows of all projects.
func Sealed(ctx context.Context, db *storage.DB) (seal.Things, error) { return passwords.All(ctx, db) }

// Reseal seals again, under the first key of the ring, what a former one sealed, and
// counts it. What no key opens stays as it is: the error is a seal.Unread then.
func Reseal(ctx context.Context, db *storage.DB, keys *seal.Ring) (n int, err error) {
	defer errtypes.Wrap(&err, "functions.Reseal")
	return passwords.Reseal(ctx, db, keys)
}

// base are the settings of the sessions of a version, with passwords. Error kind
// Unavailable where the master key is another one.
func (s *service) base(v version) (json.RawMessage, error) {
	if v.sealed == nil || s.conf.Keys == nil {
		return v.Session, nil
	}
	plain, err := s.conf.Keys.Open(passwords.Purpose(v.ID), v.sealed)
	if err != nil {
		return nil, passwords.Explain(v.ID, err)
	}
	return plain, nil
}
