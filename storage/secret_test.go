package storage_test

import (
	"bytes"
	"testing"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestSecretKeyIsMadeOnceForEachNameAndDatabase(t *testing.T) {
	t.Parallel()
	get := func(db *storage.DB, name string) []byte {
		key, err := db.SecretKey(t.Context(), name)
		if err != nil || len(key) != 32 {
			t.Fatalf("%d bytes, %v", len(key), err)
		}
		return key
	}
	one, two := storagetest.Open(t), storagetest.Open(t)
	a := get(one, "a")
	if !bytes.Equal(a, get(one, "a")) {
		t.Error("the key changes")
	}
	if bytes.Equal(a, get(one, "b")) || bytes.Equal(a, get(two, "a")) {
		t.Error("two keys are the same")
	}
}
