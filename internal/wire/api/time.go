package api

import "time"

// Time goes over the wire as ISO 8601 in UTC with milliseconds.
type Time time.Time

// MarshalText implements encoding.TextMarshaler.
func (t Time) MarshalText() ([]byte, error) {
	return time.Time(t).UTC().AppendFormat(nil, "2006-01-02T15:04:05.000Z"), nil
}

// OptionalTime is nil, and so absent or null, where the time is zero.
func OptionalTime(t time.Time) *Time {
	if t.IsZero() {
		return nil
	}
	w := Time(t)
	return &w
}
