package sessions

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/drover-go/drover/errtypes"
)

// archive keeps the recording of a session that has ended as a blob. What cannot
// be kept is missed, and logged; the end itself does not depend on it.
func (l *live) archive(left *remains) {
	if events := l.rec.all(); len(events) > 0 && left.recordingKey == "" {
		left.recordingKey = put(l.service, l.ID, events)
	}
}

func put(s *service, id string, all []RecordingEvent) (key string) {
	data, err := json.Marshal(all)
	if err == nil {
		info, putErr := s.conf.Blobs.Put(context.Background(), bytes.NewReader(data), 0)
		key, err = info.Key, putErr
	}
	if err != nil {
		s.conf.Logger.Error("sessions: the recording of a session cannot be kept", "session", id, "error", err)
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
	err = json.Unmarshal(data, &all)
	return all, err
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
	return fromOwner(ctx, s, r, "recording", func(r row) ([]RecordingEvent, error) {
		if r.lost() && r.recordingKey == "" && !r.Settings.NoRecording {
			data, err := json.Marshal(map[string]any{"tag": "lost", "payload": recordingLost})
			return []RecordingEvent{{customEvent, r.EndedAt, r.ID, data}}, err
		}
		return read[RecordingEvent](ctx, s, r.recordingKey)
	})
}

// What is said of a session whose process died: its recording was in the memory
// of that, its log was written now and then.
var (
	recordingLost = message("what was kept until then was lost: the process that had the session died")
	logLost       = message("what happened last may be missing: the process that had the session died")
)

// lost reports whether the process died that had the session.
func (r row) lost() bool { return r.Cause != nil && r.Cause.Code == CauseHostLost }

// ended is why something cannot be done with a session any more.
func ended(r row) error {
	text := "the session has ended"
	if r.Cause != nil {
		text += ": " + r.Cause.Message
	}
	return errtypes.New(errtypes.Conflict, "%s", text)
}

// Tabs implements [Service].
func (s *service) Tabs(ctx context.Context, id string) (_ []Tab, err error) {
	defer errtypes.Wrap(&err, "sessions.Tabs(%q)", id)
	r, err := s.get(ctx, id)
	if err != nil {
		return nil, err
	}
	if l := s.find(id); l != nil {
		return l.withIcons(ctx), nil
	}
	return fromOwner(ctx, s, r, "tabs", func(r row) ([]Tab, error) { return nil, notOpen(r) })
}

// notOpen is why a session that is not open cannot be looked at.
func notOpen(r row) error {
	if r.Status == Pending {
		return errtypes.New(errtypes.Conflict, "the session has not begun")
	}
	return ended(r)
}
