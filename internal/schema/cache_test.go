package schema

import (
	"fmt"
	"sync"
	"testing"
)

func numbered(i int) []byte { return fmt.Appendf(nil, `{"const":%d}`, i) }

func TestCacheKeepsWhatWasUsedLast(t *testing.T) {
	c := NewCache(CacheOptions{MaxEntries: 2})
	compile := func(i int) *Schema {
		t.Helper()
		s, err := c.Compile("x", numbered(i))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	one, two := compile(1), compile(2)
	if compile(1) != one {
		t.Error("1 was compiled again")
	}
	compile(3)
	if c.Len() != 2 || compile(1) != one {
		t.Error("1 is gone, although 2 was used before it")
	}
	if compile(2) == two {
		t.Error("2 is still there")
	}
}

func TestCacheHasALimitOnMemory(t *testing.T) {
	small, big := mustCompile(t, string(numbered(1)), Options{}), `{"properties":{`+commas(100, func(i int) string { return fmt.Sprintf(`"%d":{}`, i) })+`}}`
	c := NewCache(CacheOptions{MaxMemory: 10 * small.memory()})
	for i := range 8 {
		if _, err := c.Compile("x", numbered(i)); err != nil {
			t.Fatal(err)
		}
	}
	if c.Len() != 8 {
		t.Fatalf("%d schemas", c.Len())
	}
	first, err := c.Compile("x", []byte(big))
	if err != nil || c.Len() != 1 {
		t.Fatalf("%d schemas beside one that takes all the memory, %v", c.Len(), err)
	}
	again, _ := c.Compile("x", []byte(big))
	if again != first {
		t.Error("the last schema is not kept")
	}
	if _, err := c.Compile("x", numbered(1)); err != nil || c.Len() != 1 || c.memory != small.memory() {
		t.Errorf("%d schemas, %d bytes, %v", c.Len(), c.memory, err)
	}
}

func TestCacheRefusesUnderEachName(t *testing.T) {
	c := NewCache(CacheOptions{Options: Options{Field: "ignored", MaxDepth: 2}})
	for _, field := range []string{"schema", "resultSchema"} {
		_, err := c.Compile(field, []byte(`{"not":{"not":{}}}`))
		if err == nil || err.Error() != field+" at /not/not: is nested deeper than 2 levels" {
			t.Error(err)
		}
	}
	if c.Len() != 0 {
		t.Error("a refused schema is kept")
	}
}

func TestCacheOfManyGoroutines(t *testing.T) {
	c := NewCache(CacheOptions{MaxEntries: 3})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				n := (g + i) % 5
				s, err := c.Compile("x", numbered(n))
				if err != nil || s.Validate(n) != nil || s.Validate(n+1) == nil {
					t.Errorf("schema %d: %v", n, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if c.Len() > 3 {
		t.Errorf("%d schemas", c.Len())
	}
}
