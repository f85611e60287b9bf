package functions

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/execution"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

// held is what an invocation needs that is never stored.
type held struct {
	// session are its own settings, with the passwords of proxies.
	session json.RawMessage
}

func newValues(c Config) *execution.Values[held] {
	over := func(ctx context.Context, q storage.Querier, id string) (bool, error) {
		status, err := findStatus(ctx, q, id)
		return status.Final(), err
	}
	return execution.NewValues[held](execution.ValuesConfig{Name: "function", DB: c.DB, Notify: c.Notify, Logger: c.Logger, Over: over})
}

func (s *service) Invoke(ctx context.Context, function string, in Invoke) (_ Invocation, err error) {
	defer errtypes.Wrap(&err, "functions.Invoke(%q)", function)
	if err := s.closing.err(); err != nil {
		return Invocation{}, err
	}
	if len(in.IdempotencyKey) > maxKey {
		return Invocation{}, errtypes.Field("idempotencyKey", "must be at most %d bytes", maxKey)
	}
	v, known, err := s.target(ctx, function, in)
	if err != nil {
		return Invocation{}, err
	}
	if known != nil {
		return s.withResult(ctx, *known)
	}
	b, err := s.prepare(ctx, v, in)
	if err != nil {
		return Invocation{}, err
	}
	if b.secret {
		s.values.Keep(b.ID, held{b.full}) // before a worker can look
	}
	r, err := s.insert(ctx, b)
	switch {
	case err != nil:
		s.values.Drop(b.ID)
		return Invocation{}, err
	case r.ID != b.ID: // it was asked for meanwhile
		s.values.Drop(b.ID)
		return s.withResult(ctx, r)
	}
	s.values.Stored(b.ID)
	return r.Invocation, nil
}

// invoking is an invocation that is about to be inserted.
type invoking struct {
	row
	// full are the settings of its session with passwords.
	full json.RawMessage
}

// target finds the version that is asked for, or the invocation that has its
// idempotency key. What was accepted once is not checked again: the version may be
// another one by now.
func (s *service) target(ctx context.Context, function string, in Invoke) (v version, known *row, err error) {
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) error {
		f, err := find(ctx, q, projectID, function)
		if err != nil {
			return err
		}
		found, err := s.known(ctx, q, row{Invocation: Invocation{FunctionID: f.ID}, idempotencyKey: in.IdempotencyKey, hash: s.hashOf(f.ID, in)})
		switch {
		case err == nil:
			known = &found
			return nil
		case !errors.Is(err, storage.ErrNoRow):
			return err
		}
		v, err = versionOf(ctx, q, f, in.VersionID)
		return err
	})
	return v, known, err
}

// prepare checks what is asked of a version.
func (s *service) prepare(ctx context.Context, v version, in Invoke) (b invoking, err error) {
	if in.Timeout != 0 && (in.Timeout < time.Second || in.Timeout > s.conf.Limits.MaxTimeout) {
		return b, errtypes.Field("timeout", "must be from 1 to %d seconds", int(s.conf.Limits.MaxTimeout/time.Second))
	}
	b.row = row{
		Invocation: Invocation{
			ID: ids.New(), ProjectID: v.ProjectID, FunctionID: v.FunctionID, VersionID: v.ID, SessionID: ids.New(),
			Status: Pending, Timeout: cmp.Or(in.Timeout, v.Timeout), CreatedAt: s.now(),
		},
		idempotencyKey: in.IdempotencyKey, hash: s.hashOf(v.FunctionID, in),
	}
	b.UpdatedAt = b.CreatedAt
	if v.published() {
		b.program = v.BuildID
		if err := s.conf.Programs.usable(ctx); err != nil {
			return b, err
		}
	}
	if b.Params, err = s.checkParams(v, in.Params); err != nil {
		return b, err
	}
	return b, s.checkSession(ctx, &b, v, in)
}

// maxKey is the longest idempotency key in bytes.
const maxKey = 255

func versionOf(ctx context.Context, q storage.Querier, f Function, id string) (version, error) {
	named := id != ""
	v, err := findVersion(ctx, q, f.ProjectID, cmp.Or(ids.Canonical(id), f.CurrentVersionID))
	if named && (errors.Is(err, storage.ErrNoRow) || err == nil && v.FunctionID != f.ID) {
		return v, errtypes.Field("versionId", "names no version of the function %q", f.Name)
	}
	return v, err
}

// hashOf tells what is asked for with an idempotency key from something else. It
// needs a key, for there may be passwords in the settings of the session.
func (s *service) hashOf(functionID string, in Invoke) string {
	if in.IdempotencyKey == "" {
		return ""
	}
	sum := hmac.New(sha256.New, s.hashKey)
	for _, part := range []string{functionID, in.VersionID, string(compact(in.Params)), string(compact(in.Session)), in.Timeout.String()} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// compact is JSON without white space between its parts; what is none stays as it is.
func compact(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}

// insert writes the invocation, its job and its log in one transaction; or it
// returns the invocation that has its idempotency key.
func (s *service) insert(ctx context.Context, b invoking) (r row, err error) {
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if r, err = s.known(ctx, tx, b.row); !errors.Is(err, storage.ErrNoRow) {
			return err
		}
		r = b.row
		return s.write(ctx, tx, b)
	})
	return r, err
}

// write writes the invocation, its job and its log, and tells webhooks of it.
func (s *service) write(ctx context.Context, tx *storage.Tx, b invoking) error {
	r := b.row
	if _, err := findVersion(ctx, tx, r.ProjectID, r.VersionID); err != nil { // it went meanwhile
		return orNotFound(err, "version", r.VersionID)
	}
	job := jobs.Insert{ProjectID: b.ProjectID, Ref: b.ID, Weight: weight, Share: shareOf(r)}
	if b.secret {
		job.Owner = s.conf.DB.InstanceID()
	}
	return errors.Join(
		insertInvocation(ctx, tx, r),
		s.conf.Logs.Create(ctx, tx, logOf(r)),
		s.executorOf(r).Enqueue(ctx, tx, job),
		s.emit(ctx, tx, r.Invocation),
	)
}

// known returns the invocation that is the same as r; [storage.ErrNoRow] if there
// is none.
func (s *service) known(ctx context.Context, q storage.Querier, r row) (row, error) {
	if r.idempotencyKey == "" {
		return row{}, storage.ErrNoRow
	}
	found, err := findOnce(ctx, q, r.FunctionID, r.idempotencyKey)
	if err == nil && found.hash != r.hash {
		err = errtypes.New(errtypes.Conflict, "the idempotency key belongs to an invocation that asked for something else")
	}
	return found, err
}
