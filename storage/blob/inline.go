package blob

import (
	"bytes"
	"context"
	"io"
)

// MaxInline is the longest text that lies in a row, in bytes: longer ones are blobs.
const MaxInline = 64 << 10

// Keep returns text as it is to be stored: in a row, or under the key of a blob that
// it has written. Error kinds: those of [Store.Put].
func Keep(ctx context.Context, s Store, text []byte) (row []byte, key string, err error) {
	if len(text) <= MaxInline {
		return text, "", nil
	}
	info, err := s.Put(ctx, bytes.NewReader(text), 0)
	return nil, info.Key, err
}

// Kept returns what [Keep] has stored. Error kinds: those of [Store.Open].
func Kept(ctx context.Context, s Store, row []byte, key string) ([]byte, error) {
	if key == "" {
		return row, nil
	}
	r, err := s.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
