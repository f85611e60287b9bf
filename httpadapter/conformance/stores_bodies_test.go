package conformance

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/storage/records"
)

// stored is a service with one store of each kind, over a socket.
type stored struct {
	*world
	address string
	client  *http.Client
}

func withStores(t *testing.T, o httpadapter.Options, l records.Limits) *stored {
	t.Helper()
	w := build(t, config{realTime: true, adapter: o, more: func(o *drover.Options) { o.Records = l }})
	for _, kind := range []records.Kind{records.KeyValueStore, records.Dataset, records.RequestQueue} {
		if _, _, err := w.Records.Create(w.asDefault(t), kind, records.New{Name: "shop"}); err != nil {
			t.Fatal(err)
		}
	}
	transport := &http.Transport{DisableCompression: true} // what is coded stays so
	t.Cleanup(transport.CloseIdleConnections)
	return &stored{w, serve(t, w.handler), &http.Client{Transport: transport}}
}

// send asks for something below the store of a kind; headers are names and values.
func (s *stored) send(t *testing.T, method, path string, body io.Reader, headers ...string) (*http.Response, string) {
	t.Helper()
	r := must(http.NewRequestWithContext(t.Context(), method, "http://"+s.address+"/v2/"+path, body))(t)
	r.Header.Set("Authorization", "Bearer "+s.words["<key>"])
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res := must(s.client.Do(r))(t)
	defer res.Body.Close()
	return res, string(must(io.ReadAll(res.Body))(t))
}

const theRecord = "key-value-stores/~shop/records/"

func TestARecordKeepsItsCoding(t *testing.T) {
	t.Parallel()
	s := withStores(t, httpadapter.Options{}, records.Limits{})
	for _, size := range []int{10, 200_000} { // in a row, in a file
		text := strings.Repeat("0123456789", size/10)
		packed := zip(t, strings.NewReader(text))
		if res, body := s.send(t, "PUT", theRecord+"a", strings.NewReader(packed), "Content-Encoding", "gzip", "Content-Type", "text/plain"); res.StatusCode != 201 {
			t.Fatal(res.StatusCode, body)
		}
		for accepted, want := range map[string]string{"gzip": packed, "br, gzip;q=0.5": packed, "": text, "br": text, "gzip;q=0": text} {
			res, body := s.send(t, "GET", theRecord+"a", nil, "Accept-Encoding", accepted)
			coding := map[bool]string{true: "gzip"}[want == packed]
			if body != want || res.Header.Get("Content-Encoding") != coding || res.ContentLength != int64(len(want)) || res.Header.Get("Content-Type") != "text/plain" {
				t.Errorf("%d bytes for who accepts %q: %d bytes, %v", size, accepted, len(body), res.Header)
			}
		}
	}
	res, body := s.send(t, "PUT", theRecord+"b", strings.NewReader("no gzip"), "Content-Encoding", "gzip")
	if res.StatusCode != 400 || !strings.Contains(body, "not valid gzip") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if res, _ := s.send(t, "GET", theRecord+"b", nil); res.StatusCode != 404 {
		t.Errorf("what was refused is there: %d", res.StatusCode)
	}
}

func TestItemsComeInEveryCoding(t *testing.T) {
	t.Parallel()
	s := withStores(t, httpadapter.Options{}, records.Limits{})
	want := ""
	for i, coding := range []string{"gzip", "deflate", "br"} {
		item := fmt.Sprintf(`{"n":%d,"text":%q}`, i, strings.Repeat("x", 50_000))
		want += item + "\n"
		if res, body := s.send(t, "POST", "datasets/~shop/items", bytes.NewReader(packedBy(t, coding, item)), "Content-Type", "application/json", "Content-Encoding", coding); res.StatusCode != 201 {
			t.Errorf("%s: %d %s", coding, res.StatusCode, body)
		}
	}
	res, body := s.send(t, "GET", "datasets/~shop/items?format=jsonl", nil)
	if body != want || res.ContentLength != -1 {
		t.Errorf("%d bytes, Content-Length %d", len(body), res.ContentLength)
	}
}

func TestWhatIsTooLargeIsRefusedWithItsLength(t *testing.T) {
	t.Parallel()
	s := withStores(t, httpadapter.Options{MaxBody: 1000, MaxDiscard: 3000}, records.Limits{MaxRecord: 1000})
	large := strings.Repeat(" ", 990) + `{"url":"https://example.com/"}`
	for _, c := range []struct {
		method, path, body, coding string
		status                     int
		want                       errtypes.Type
		message                    string
	}{
		{"POST", "datasets/~shop/items", large, "", 413, errtypes.TypeRequestTooLarge, "the body is 1020 bytes long; the limit is 1000 bytes"},
		{"POST", "datasets/~shop/items", zip(t, strings.NewReader(large)), "gzip", 413, errtypes.TypeRequestTooLarge, "the body is 1020 bytes long; the limit is 1000 bytes"},
		{"POST", "datasets/~shop/items", zip(t, io.LimitReader(zeros{}, 1<<20)), "gzip", 413, errtypes.TypeRequestTooLarge, "the body is at least 3000 bytes long; the limit is 1000 bytes"},
		{"POST", "request-queues/~shop/requests", large, "", 413, errtypes.TypeRequestTooLarge, "the body is 1020 bytes long"},
		{"POST", "request-queues/~shop/requests/batch", large, "", 413, errtypes.TypeRequestTooLarge, "the body is 1020 bytes long"},
		{"PUT", theRecord + "a", large, "", 400, errtypes.TypeRecordTooLarge, "the limit is 1000 bytes"},
		{"PUT", theRecord + "a", zip(t, strings.NewReader(large)), "gzip", 400, errtypes.TypeRecordTooLarge, "the limit is 1000 bytes"},
		{"POST", theRecord + "a", strings.Repeat("x", 2500), "", 400, errtypes.TypeRecordTooLarge, "the limit is 1000 bytes"},
		{"PUT", theRecord + "a", strings.Repeat("x", 1000), "", 201, "", ""},
	} {
		headers := []string{"Content-Type", "application/json"}
		if c.coding != "" {
			headers = append(headers, "Content-Encoding", c.coding)
		}
		res, body := s.send(t, c.method, c.path, strings.NewReader(c.body), headers...)
		if res.StatusCode != c.status || !strings.Contains(body, string(c.want)) || !strings.Contains(body, c.message) {
			t.Errorf("%s %s of %d bytes: %d %s", c.method, c.path, len(c.body), res.StatusCode, body)
		}
	}
}

// A record whose body is not whole is not kept, and nobody waits for the rest.
func TestARecordIsWholeOrNotThere(t *testing.T) {
	t.Parallel()
	s := withStores(t, httpadapter.Options{BodyIdleTimeout: 300 * time.Millisecond}, records.Limits{})
	head := "PUT /v2/" + theRecord + "a HTTP/1.1\r\nHost: drover.test\r\nAuthorization: Bearer " + s.words["<key>"] + "\r\n"
	for raw, want := range map[string]struct {
		status int
		text   string
	}{
		head + "Content-Length: 100000\r\n\r\n" + strings.Repeat("x", 70_000):                 {408, "operation-timed-out"},
		head + "Content-Length: 100\r\n\r\nabc" + halfClose:                                   {400, "broken off"},
		head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nx" + halfClose:                  {400, "broken off"},
		head + "Transfer-Encoding: chunked\r\n\r\n":                                           {408, "operation-timed-out"},
		strings.Replace(head, "/~shop/", "/none/", 1) + "Content-Length: 100\r\n\r\nabc":      {404, "record-not-found"},
		strings.Replace(head, "records/a", "records/a+b", 1) + "Content-Length: 3\r\n\r\nabc": {400, "invalid-record-key"},
	} {
		res, body := sendRaw(t, s.address, raw)
		if res.StatusCode != want.status || !strings.Contains(string(body), want.text) {
			t.Errorf("%.200q…: %d %s", raw[len(head)-10:min(len(raw), len(head)+60)], res.StatusCode, body)
		}
	}
	if res, body := s.send(t, "GET", theRecord+"a", nil); res.StatusCode != 404 {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if res, body := s.send(t, "PUT", theRecord+"a", inChunks("one ", "two")); res.StatusCode != 201 {
		t.Errorf("in chunks: %d %s", res.StatusCode, body)
	}
	if _, body := s.send(t, "GET", theRecord+"a", nil); body != "one two" {
		t.Errorf("in chunks: %q", body)
	}
}

// inChunks is a reader whose length nobody knows.
func inChunks(pieces ...string) io.Reader {
	var all []io.Reader
	for _, p := range pieces {
		all = append(all, strings.NewReader(p))
	}
	return io.MultiReader(all...)
}

// packedBy is a text in a coding.
func packedBy(t *testing.T, coding, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := map[string]io.WriteCloser{"gzip": gzip.NewWriter(&b), "deflate": zlib.NewWriter(&b), "br": brotli.NewWriter(&b)}[coding]
	must(io.WriteString(w, text))(t)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
