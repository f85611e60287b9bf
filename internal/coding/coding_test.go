package coding

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func read(coding string, r io.Reader) (string, error) {
	d, err := NewReader(coding, bufio.NewReader(r))
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(d)
	return string(data), err
}

func TestCodingsAreUndone(t *testing.T) {
	t.Parallel()
	if got, err := read("gzip", bytes.NewReader(zipped(t, "text"))); got != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for coding, known := range map[string]bool{"gzip": true, "deflate": true, "br": true, "": false, "zstd": false, "GZIP": false} {
		if Known(coding) != known {
			t.Errorf("%q is known: %t", coding, !known)
		}
	}
}

func TestErrorsOfACodingAreToldFromThoseOfTheReader(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, coding := range []string{"gzip", "deflate", "br"} {
		_, err := read(coding, strings.NewReader("\xff\xff\xff no such thing"))
		if bad, ok := errors.AsType[*Error](err); !ok || bad.Coding != coding || bad.Unwrap() == nil {
			t.Errorf("%s: %v", coding, err)
		}
		_, err = read(coding, iotest.ErrReader(broken))
		if _, ok := errors.AsType[*Error](err); ok || !errors.Is(err, broken) {
			t.Errorf("%s: %v", coding, err)
		}
	}
	whole := zipped(t, strings.Repeat("text", 100))
	if _, err := read("gzip", bytes.NewReader(whole[:len(whole)-6])); err == nil {
		t.Error("half a content is whole")
	}
}
