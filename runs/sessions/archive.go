package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/drover-go/drover/errtypes"
)

// archive keeps the log and the recording of a session that has ended as
// blobs. What cannot be kept is missed, and logged; the end itself does not
// depend on it.
func (l *live) archive(left *remains) {
	if entries := l.log.all(); len(entries) > 0 {
		left.logKey = put(l.service, l.ID, entries)
	}
	if events := l.rec.all(); len(events) > 0 {
		left.recordingKey = put(l.service, l.ID, events)
	}
}

func put[T any](s *service, id string, all []T) (key string) {
	data, err := json.Marshal(all)
	if err == nil {
		info, putErr := s.conf.Blobs.Put(context.Background(), bytes.NewReader(data), 0)
		key, err = info.Key, putErr
	}
	if err != nil {
		s.conf.Logger.Error("sessions: the log or the recording of a session cannot be kept", "session", id, "error", err)
	}
	return key
}

func read[T any](ctx context.Context, s *service, key string) ([]T, error) {
	all := []T{}
	if key == "" {
		return all, nil
	}
	blob, err := s.conf.Blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer blob.Close()
	data, err := io.ReadAll(blob)
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(data, &all)
}

// Logs implements [Service].
func (s *service) Logs(ctx context.Context, id string) (_ []LogEntry, err error) {
	defer errtypes.Wrap(&err, "sessions.Logs(%q)", id)
	r, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	if l := s.find(id); l != nil {
		return l.log.all(), nil
	}
	return read[LogEntry](ctx, s, r.logKey)
}

// Recording implements [Service].
func (s *service) Recording(ctx context.Context, id string) (_ []RecordingEvent, err error) {
	defer errtypes.Wrap(&err, "sessions.Recording(%q)", id)
	r, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.recordingOf(ctx, r)
}

func (s *service) recordingOf(ctx context.Context, r row) ([]RecordingEvent, error) {
	if l := s.find(r.ID); l != nil {
		return l.rec.all(), nil
	}
	return read[RecordingEvent](ctx, s, r.recordingKey)
}

var errElsewhere = errtypes.New(errtypes.Conflict, "the session is not running in this process")

// running returns a session of the caller's that this process has.
func (s *service) running(ctx context.Context, id string) (*live, error) {
	if _, err := s.get(ctx, id); err != nil {
		return nil, err
	}
	l := s.find(id)
	if l == nil {
		return nil, errElsewhere
	}
	return l, nil
}

// Tabs implements [Service].
func (s *service) Tabs(ctx context.Context, id string) (_ []Tab, err error) {
	defer errtypes.Wrap(&err, "sessions.Tabs(%q)", id)
	l, err := s.running(ctx, id)
	if err != nil {
		return nil, err
	}
	return l.tabs(), nil
}
