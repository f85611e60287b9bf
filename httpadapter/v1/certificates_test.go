package v1

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/storagetest"
)

// vault is a handler with certificates.
type vault struct {
	http.Handler
	key string
}

func newVault(t *testing.T) vault {
	t.Helper()
	db := storagetest.Open(t)
	s, key := openOn(t, db)
	var err error
	s.Certificates, err = certificates.New(certificates.Config{DB: db, Callers: s.Projects, Keys: seal.NewRing(seal.NewKey())})
	if err != nil {
		t.Fatal(err)
	}
	o := options()
	o.MaxUpload = 100 << 20
	return vault{New(s, o), key}
}

// endless is bytes without end; it counts those that were read.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	e.read += len(p)
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

const boundary = "xyz"

func part(name string) string {
	return fmt.Sprintf("--%s\r\nContent-Disposition: form-data; name=%q; filename=f\r\n\r\n", boundary, name)
}

func (v vault) post(body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "/v1/certificates", body)
	r.Header.Set("X-Key", v.key)
	r.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)
	w := httptest.NewRecorder()
	v.ServeHTTP(w, r)
	return w
}

// TestNoMoreOfAFormIsReadThanMayBeKept sends forms that have no end.
func TestNoMoreOfAFormIsReadThanMayBeKept(t *testing.T) {
	v := newVault(t)
	for name, test := range map[string]struct {
		part         string
		status, most int
	}{
		"the file":   {part("file"), 413, 1<<20 + 128<<10},
		"a password": {part("password"), 400, 128 << 10},
		"a stranger": {part("other"), 413, 1<<20 + 128<<10},
		"no head":    {"--" + boundary + "\r\nnothing\r\n\r\n", 400, 64 << 10},
		"no part":    {"--" + boundary + "\r\nX: y\r\n\r\nx\r\n--" + boundary + "no\r\n", 413, 1<<20 + 128<<10},
		"a head":     {"--" + boundary + "\r\nX: ", 413, 1<<20 + 128<<10},
	} {
		rest := &endless{}
		w := v.post(io.MultiReader(strings.NewReader(test.part), rest))
		if w.Code != test.status || rest.read > test.most {
			t.Errorf("%s: %d %s, %d bytes were read", name, w.Code, w.Body, rest.read)
		}
	}
}

func TestAPasswordForNothingIsRefused(t *testing.T) {
	ca := egresstest.PEM(egresstest.NewAuthority(t, "An authority").Cert)
	form := part("password") + "secret\r\n" + part("file") + string(ca) + "\r\n--" + boundary + "--\r\n"
	if got := newVault(t).post(strings.NewReader(form)); got.Code != 400 || !strings.Contains(got.Body.String(), "password is not used by this file") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}

func TestTheLargestFormIsTaken(t *testing.T) {
	v := newVault(t)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	w.SetBoundary(boundary)
	w.WriteField("other", strings.Repeat("x", 60<<10))
	file, _ := w.CreateFormFile("file", "ca.pem")
	ca := egresstest.PEM(egresstest.NewAuthority(t, "An authority").Cert)
	file.Write(append(ca, bytes.Repeat([]byte("\n"), 1<<20-len(ca))...))
	w.Close()
	if got := v.post(&form); got.Code != 200 || !strings.Contains(got.Body.String(), "An authority") {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}
