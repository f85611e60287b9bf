package stream

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/drover-go/drover/internal/testlevel"
)

const passphrase = "correct horse battery"

func encrypt(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, passphrase)
	if err != nil {
		t.Fatal(err)
	}
	for len(text) > 0 { // in odd pieces
		n := min(len(text), 7919)
		if _, err := w.Write(text[:n]); err != nil {
			t.Fatal(err)
		}
		text = text[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func decrypt(encrypted []byte, passphrase string) ([]byte, error) {
	r, err := NewReader(iotest.HalfReader(bytes.NewReader(encrypted)), passphrase)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func TestStreamComesBack(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk} {
		text := bytes.Repeat([]byte("secret canary! "), size/15+1)[:size]
		encrypted := encrypt(t, text)
		if bytes.Contains(encrypted, []byte("canary")) {
			t.Error("it is in the clear")
		}
		if got, err := decrypt(encrypted, passphrase); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
}

func TestStreamIsAuthentic(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456789"), chunk/4)
	encrypted := encrypt(t, text)
	part := chunk + 16
	second := headSize + part
	swapped := bytes.Clone(encrypted)
	copy(swapped[headSize:], encrypted[second:second+part])
	copy(swapped[second:], encrypted[headSize:second])
	bad := map[string][]byte{
		"swapped": swapped, "empty": nil, "cut in its head": encrypted[:10], "only its head": encrypted[:headSize],
		"cut after a chunk": encrypted[:second], "more behind it": append(bytes.Clone(encrypted), 0),
	}
	for _, at := range []int{0, 20, headSize, second - 1, second, len(encrypted) - 1}[:testlevel.Of(4, 6)] {
		flipped := bytes.Clone(encrypted)
		flipped[at] ^= 1
		bad["flipped"+string(rune('a'+at%26))] = flipped
	}
	for name, one := range bad {
		got, err := decrypt(one, passphrase)
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrPassphrase) {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.HasPrefix(text, got) {
			t.Errorf("%s gives out what is not authentic", name)
		}
	}
	if _, err := decrypt(encrypted, passphrase+"x"); !errors.Is(err, ErrPassphrase) {
		t.Errorf("another passphrase: %v", err)
	}
}
