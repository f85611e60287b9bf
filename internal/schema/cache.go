package schema

import (
	"cmp"
	"container/list"
	"crypto/sha256"
	"sync"
)

// CacheOptions are the options of [NewCache].
type CacheOptions struct {
	// Options are those of all schemas in the cache. Field is ignored.
	Options Options
	// MaxEntries is the number of schemas that are kept. Default 256.
	MaxEntries int
	// MaxMemory is what they may take together, in bytes, by estimate.
	// Default 64 MiB.
	MaxMemory int
}

func (o CacheOptions) withDefaults() CacheOptions {
	o.MaxEntries = cmp.Or(o.MaxEntries, 256)
	o.MaxMemory = cmp.Or(o.MaxMemory, 64<<20)
	return o
}

// Cache keeps compiled schemas by their text; of too many, those go whose last
// use is longest ago. It is safe for concurrent use. A schema that is refused
// is not kept.
type Cache struct {
	o CacheOptions

	mu     sync.Mutex
	byHash map[[sha256.Size]byte]*list.Element
	order  *list.List // of *entry, the last used in front
	memory int
}

type entry struct {
	hash   [sha256.Size]byte
	schema *Schema
}

// NewCache returns an empty cache.
func NewCache(o CacheOptions) *Cache {
	return &Cache{
		o:      o.withDefaults(),
		byHash: map[[sha256.Size]byte]*list.Element{},
		order:  list.New(),
	}
}

// Compile returns the schema with that text, compiled now or earlier. Errors
// are those of [Compile] with the field given.
func (c *Cache) Compile(field string, raw []byte) (*Schema, error) {
	hash := sha256.Sum256(raw)
	if s := c.get(hash); s != nil {
		return s, nil
	}
	o := c.o.Options
	o.Field = field
	s, err := Compile(raw, o)
	if err != nil {
		return nil, err
	}
	return c.put(hash, s), nil
}

func (c *Cache) get(hash [sha256.Size]byte) *Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byHash[hash]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry).schema
}

// put adds s, unless another goroutine was faster; what is then in the cache
// is returned.
func (c *Cache) put(hash [sha256.Size]byte, s *Schema) *Schema {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byHash[hash]; e != nil {
		return e.Value.(*entry).schema
	}
	c.byHash[hash] = c.order.PushFront(&entry{hash, s})
	c.memory += s.memory()
	for c.order.Len() > 1 && (c.order.Len() > c.o.MaxEntries || c.memory > c.o.MaxMemory) {
		c.drop(c.order.Back())
	}
	return s
}

func (c *Cache) drop(e *list.Element) {
	old := c.order.Remove(e).(*entry)
	delete(c.byHash, old.hash)
	c.memory -= old.schema.memory()
}

// Len returns the number of schemas in the cache.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len()
}

// memory estimates what a schema takes: measured are 1.5 KB for a subschema,
// 40 bytes for a step of a regular expression, both again for another instance.
func (s *Schema) memory() int {
	patterns := 0
	for _, p := range s.patterns {
		patterns += 100 * p.size
	}
	return 20*len(s.raw) + 3_000*s.subs + patterns
}
