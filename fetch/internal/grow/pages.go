package grow

import (
	"compress/gzip"
	"io"
	"net/url"
	"os"
	"strings"
)

// Host returns the host of an address, or of what is only its name, without "www.":
// pages of one host are learnt from together or not at all.
func Host(address string) string {
	if at, err := url.Parse(address); err == nil && at.Host != "" {
		address = at.Hostname()
	}
	return strings.TrimPrefix(strings.ToLower(address), "www.")
}

// ReadGzip reads a file that is compressed with gzip, as pages of the corpora are.
func ReadGzip(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(z)
	return string(text), err
}
