package functions

import (
	"cmp"
	"context"
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
	b, err := s.prepare(ctx, function, in)
	if err != nil {
		return Invocation{}, err
	}
	if b.secret {
		s.values.Keep(b.ID, held{b.full}) // before a worker can look
	}
	r, err := s.insert(ctx, b)
	if err != nil || r.ID != b.ID {
		s.values.Drop(b.ID)
		return r.Invocation, err
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

// prepare finds the version and checks what is asked of it.
func (s *service) prepare(ctx context.Context, function string, in Invoke) (b invoking, err error) {
	var v version
	err = s.read(ctx, func(ctx context.Context, q storage.Querier, projectID string) error {
		f, err := find(ctx, q, projectID, function)
		if err == nil {
			v, err = versionOf(ctx, q, f, in.VersionID)
		}
		return err
	})
	if err != nil {
		return b, err
	}
	if in.Timeout != 0 && (in.Timeout < time.Second || in.Timeout > s.conf.Limits.MaxTimeout) {
		return b, errtypes.Field("timeout", "must be from 1 to %d seconds", int(s.conf.Limits.MaxTimeout/time.Second))
	}
	if len(in.IdempotencyKey) > maxKey {
		return b, errtypes.Field("idempotencyKey", "must be at most %d bytes", maxKey)
	}
	b.row = row{
		Invocation: Invocation{
			ID: ids.New(), ProjectID: v.ProjectID, FunctionID: v.FunctionID, VersionID: v.ID, SessionID: ids.New(),
			Status: Pending, Timeout: cmp.Or(in.Timeout, v.Timeout), CreatedAt: s.now(),
		},
		idempotencyKey: in.IdempotencyKey,
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
	err = s.checkSession(ctx, &b, v, in)
	b.hash = hashOf(b, in)
	return b, err
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

// hashOf tells what is asked for with an idempotency key from something else.
func hashOf(b invoking, in Invoke) string {
	sum := sha256.New()
	for _, part := range []string{b.FunctionID, in.VersionID, string(b.Params), string(b.session), in.Timeout.String()} {
		sum.Write([]byte(part))
		sum.Write([]byte{0})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// insert writes the invocation, its job and its log in one transaction; or it
// returns the invocation that has its idempotency key.
func (s *service) insert(ctx context.Context, b invoking) (r row, err error) {
	job := jobs.Insert{ProjectID: b.ProjectID, Ref: b.ID, Weight: weight, Share: shareOf(b.row)}
	if b.secret {
		job.Owner = s.conf.DB.InstanceID()
	}
	err = s.conf.DB.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
		if r, err = s.known(ctx, tx, b.row); !errors.Is(err, storage.ErrNoRow) {
			return err
		}
		r = b.row
		if _, err := findVersion(ctx, tx, r.ProjectID, r.VersionID); err != nil { // it went meanwhile
			return orNotFound(err, "version", r.VersionID)
		}
		return errors.Join(
			insertInvocation(ctx, tx, r),
			s.conf.Logs.Create(ctx, tx, logOf(r)),
			s.executorOf(r).Enqueue(ctx, tx, job),
		)
	})
	return r, err
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
