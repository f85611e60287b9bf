package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"iter"
	"maps"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// NewMemory returns a store that keeps nothing when the process ends. The
// clock says when a blob was written; nil is the system's.
func NewMemory(c clock.Clock) Store {
	if c == nil {
		c = clock.System()
	}
	return &memory{clock: c, blobs: map[string]memoryBlob{}}
}

type memory struct {
	clock clock.Clock
	mu    sync.RWMutex
	blobs map[string]memoryBlob
	hold  *memoryHold // nil for none
}

type memoryBlob struct {
	data  []byte
	entry Entry
}

func (m *memory) Put(ctx context.Context, r io.Reader, limit int64) (_ Info, err error) {
	defer errtypes.Wrap(&err, "blob.Put")
	data, err := io.ReadAll(&limited{ctx: ctx, r: r, limit: limit})
	if err != nil {
		return Info{}, err
	}
	info := Info{Key: newKey(), Size: int64(len(data)), SHA256: sha256.Sum256(data)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blobs[info.Key] = memoryBlob{data, Entry{Key: info.Key, Size: info.Size, WrittenAt: m.clock.Now()}}
	return info, nil
}

func (m *memory) TryWrite(context.Context) error { return nil }

func (m *memory) Open(_ context.Context, key string) (Reader, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	b, ok := m.blobs[key]
	if !ok {
		return nil, notFound(key)
	}
	return b.open(), nil
}

func (b memoryBlob) open() Reader { return memoryReader{bytes.NewReader(b.data)} }

type memoryReader struct{ *bytes.Reader }

func (memoryReader) Close() error { return nil }

func (m *memory) Delete(_ context.Context, key string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b, ok := m.blobs[key]; ok && m.hold != nil {
		m.hold.gone[key] = b
	}
	delete(m.blobs, key)
	return nil
}

func (m *memory) All(ctx context.Context) iter.Seq2[Entry, error] {
	m.mu.RLock()
	blobs := maps.Clone(m.blobs) // so that the caller may delete as it goes
	m.mu.RUnlock()
	return func(yield func(Entry, error) bool) {
		for _, b := range blobs {
			if err := ctx.Err(); err != nil {
				yield(Entry{}, err)
				return
			}
			if !yield(b.entry, nil) {
				return
			}
		}
	}
}
