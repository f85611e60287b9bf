package downloads

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
)

func TestStoredFileComesBack(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, k *kept) {
		const content = "a,b\n1,2\n"
		got := k.store(t, session, "../r\u202e\u00e9port.csv", content)
		sum := sha256.Sum256([]byte(content))
		want := Download{
			ID: got.ID, SessionID: session, Filename: "r\u00e9port.csv", MIMEType: "text/plain", Size: int64(len(content)),
			SHA256: sum, CRC32: crc32.ChecksumIEEE([]byte(content)), CreatedAt: noon.Add(time.Second),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if made, ok := ids.Time(got.ID); !ok || got.Checksum() != hex.EncodeToString(sum[:]) {
			t.Errorf("id %s of %v, checksum %s", got.ID, made, got.Checksum())
		}
		again, err := k.Get(t.Context(), got.ID)
		if diff := cmp.Diff(want, again); err != nil || diff != "" {
			t.Error(err, diff)
		}
		if c := k.content(t, got.ID); c != content {
			t.Errorf("%q", c)
		}
		k.agree(t, 1, want.Size)
	})
}

func TestMIMETypeIsTheDeclaredOneIfItIsOne(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	const png = "\x89PNG\r\n\x1a\n"
	for _, c := range []struct{ declared, content, want string }{
		{"application/pdf", png, "application/pdf"},
		{"Text/HTML; charset=utf-8", png, "text/html"},
		{"text/csv; =broken", png, "text/csv"},
		{"", png, "image/png"},
		{"pdf", png, "image/png"},
		{"image/*", png, "image/png"},
		{"a/b\r\nX: y", png, "image/png"},
		{"x/" + strings.Repeat("y", 254), png, "image/png"},
		{"", "\x00\x01\x02", "application/octet-stream"},
		{"", "", "application/octet-stream"},
		{"", "hello", "text/plain"},
	} {
		d, err := k.Store(t.Context(), New{SessionID: session, MIMEType: c.declared, Content: strings.NewReader(c.content)})
		if err != nil || d.MIMEType != c.want || d.Filename != "download" {
			t.Errorf("%q: %q %q, want %q; %v", c.declared, d.MIMEType, d.Filename, c.want, err)
		}
	}
}

func TestStoreRefuses(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	for _, session := range []string{"", strings.Repeat("x", 256), "\xff"} {
		if _, err := k.Store(t.Context(), New{SessionID: session}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("session %q: %v", session, err)
		}
	}
	boom := errors.New("boom")
	for _, r := range []io.Reader{iotest.ErrReader(boom), io.MultiReader(strings.NewReader(strings.Repeat("x", 1000)), iotest.ErrReader(boom))} {
		if _, err := k.Store(t.Context(), New{SessionID: session, Content: r}); !errors.Is(err, boom) {
			t.Errorf("a content that fails: %v", err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.Store(gone, New{SessionID: session}); !errtypes.Is(err, errtypes.Canceled) {
		t.Errorf("a caller that has gone: %v", err)
	}
	k.agree(t, 0, 0)
	if _, err := Open(Config{}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("without a database: %v", err)
	}
}

func TestListSelects(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, k *kept) {
		for i, name := range []string{"a.txt", "b.txt", "a.txt", "c.png"} {
			k.store(t, session, name, strings.Repeat("x", 10*i))
		}
		k.store(t, other, "a.txt", "")
		size := func(n int64) *int64 { return &n }
		at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
		for name, c := range map[string]struct {
			q     Query
			sizes []int64
			total int
		}{
			"all, newest first": {Query{}, []int64{30, 20, 10, 0}, 4},
			"a name":            {Query{Filename: "a.txt"}, []int64{20, 0}, 2},
			"no such name":      {Query{Filename: "A.txt"}, []int64{}, 0},
			"a type":            {Query{MIMEType: "TEXT/plain"}, []int64{30, 20, 10}, 3},
			"both":              {Query{Filename: "a.txt", MIMEType: "text/plain"}, []int64{20}, 1},
			"least size":        {Query{MinSize: size(20)}, []int64{30, 20}, 2},
			"largest size":      {Query{MaxSize: size(20)}, []int64{20, 10, 0}, 3},
			"empty only":        {Query{MaxSize: size(0)}, []int64{0}, 1},
			"after":             {Query{CreatedAfter: at(3)}, []int64{30, 20}, 2},
			"just after":        {Query{CreatedAfter: at(3).Add(1)}, []int64{30}, 1},
			"before":            {Query{CreatedBefore: at(3)}, []int64{20, 10, 0}, 3},
			"a page":            {Query{Limit: 2}, []int64{30, 20}, 4},
			"the next":          {Query{Limit: 2, Offset: 2}, []int64{10, 0}, 4},
			"beyond the end":    {Query{Offset: 4}, []int64{}, 4},
			"another session":   {Query{SessionID: other}, []int64{0}, 1},
			"an unknown one":    {Query{SessionID: "none"}, []int64{}, 0},
			"everything at once": {Query{
				Filename: "a.txt", MIMEType: "text/plain", MinSize: size(1), MaxSize: size(99), CreatedAfter: at(1), CreatedBefore: at(9), Limit: 1,
			}, []int64{20}, 1},
		} {
			if c.q.SessionID == "" {
				c.q.SessionID = session
			}
			page, err := k.List(t.Context(), c.q)
			got := []int64{}
			for _, d := range page.Downloads {
				got = append(got, d.Size)
			}
			if diff := cmp.Diff(c.sizes, got); err != nil || diff != "" || page.Total != c.total || page.Downloads == nil {
				t.Errorf("%s: total %d, %v %s", name, page.Total, err, diff)
			}
		}
	})
}

func TestListRefuses(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	below := int64(-1)
	for field, q := range map[string]Query{
		"sessionId": {}, "limit": {SessionID: "x", Limit: 101}, "offset": {SessionID: "x", Offset: -1},
		"minSize": {SessionID: "x", MinSize: &below}, "maxSize": {SessionID: "x", MaxSize: &below},
		"filename": {SessionID: "x", Filename: strings.Repeat("é", 256)}, "mimeType": {SessionID: "x", MIMEType: "\xff"},
	} {
		var e *errtypes.Error
		if _, err := k.List(t.Context(), q); !errors.As(err, &e) || e.Kind != errtypes.Invalid || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestAllIsOldestFirst(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	first, second := k.store(t, session, "x", "1"), k.store(t, session, "y", "2")
	k.store(t, other, "z", "3")
	all, err := k.All(t.Context(), session)
	if diff := cmp.Diff([]Download{first, second}, all); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if all, err := k.All(t.Context(), "none"); err != nil || all == nil || len(all) != 0 {
		t.Errorf("an unknown session: %v %v", all, err)
	}
}

func TestDeleteTakesRowAndBlob(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, k *kept) {
		gone, left := k.store(t, session, "x", "12345"), k.store(t, session, "y", "123")
		r, _, err := k.service.Open(t.Context(), gone.ID)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if err := k.Delete(t.Context(), gone.ID); err != nil {
			t.Fatal(err)
		}
		k.agree(t, 1, left.Size)
		k.missing(t, t.Context(), gone.ID)
		if data, err := io.ReadAll(r); string(data) != "12345" || err != nil {
			t.Errorf("who was reading got %q, %v", data, err)
		}
	})
}

// missing asserts that every method says that there is no such download.
func (k *kept) missing(t *testing.T, ctx context.Context, id string) {
	t.Helper()
	_, getErr := k.Get(ctx, id)
	_, _, openErr := k.service.Open(ctx, id)
	for _, err := range []error{getErr, openErr, k.Delete(ctx, id)} {
		if !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("%v", err)
		}
	}
}

func TestDeleteOfASession(t *testing.T) {
	t.Parallel()
	each(t, Config{}, func(t *testing.T, k *kept) {
		for range 2*batch + 3 {
			k.store(t, session, "x", "1234")
		}
		left := k.store(t, other, "y", "1")
		if n, err := k.DeleteOf(t.Context(), session); n != 2*batch+3 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		k.agree(t, 1, left.Size)
		if n, err := k.DeleteOf(t.Context(), session); n != 0 || err != nil {
			t.Errorf("again: %d, %v", n, err)
		}
	})
}

func TestProjectsSeeOnlyTheirOwn(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	d := k.store(t, session, "x", "1")
	ctx := k.as(t, "other")
	k.missing(t, ctx, d.ID)
	page, err := k.List(ctx, Query{SessionID: session})
	all, err2 := k.All(ctx, session)
	n, err3 := k.DeleteOf(ctx, session)
	if err := errors.Join(err, err2, err3); err != nil || page.Total+len(page.Downloads)+len(all)+n != 0 {
		t.Errorf("%+v %v %d, %v", page, all, n, err)
	}
	k.agree(t, 1, 1)
}

func TestClosedServiceStoresNothing(t *testing.T) {
	t.Parallel()
	k := open(t, Config{})
	d := k.store(t, session, "x", "1")
	if err := errors.Join(k.Close(t.Context()), k.Close(t.Context())); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Store(t.Context(), New{SessionID: session}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("%v", err)
	}
	if _, err := k.Get(t.Context(), d.ID); err != nil {
		t.Errorf("reading: %v", err)
	}
}

// endless has no end; it tells when it is read.
type endless struct{ read chan struct{} }

func (e *endless) Read(p []byte) (int, error) {
	select {
	case e.read <- struct{}{}:
	default:
	}
	return len(p), nil
}

func TestCloseCutsOffWhoStoresForTooLong(t *testing.T) {
	t.Parallel()
	k := open(t, Config{Limits: Limits{MaxFile: 1 << 60, MaxBytes: 1 << 60}, Blobs: dirStore(t, t.TempDir())})
	content, failed := &endless{make(chan struct{})}, make(chan error)
	go func() {
		_, err := k.Store(t.Context(), New{SessionID: session, Content: content})
		failed <- err
	}()
	<-content.read
	ctx, cancel := context.WithCancel(t.Context())
	closed := make(chan error)
	go func() { closed <- k.Close(ctx) }()
	<-content.read // it goes on
	cancel()
	if err := <-failed; !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("%v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	k.agree(t, 0, 0)
}
