package conformance

import (
	archive "archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/storage/downloads"
)

func withDownloads(t *testing.T) *world {
	w := build(t, config{})
	w.downloads(t)
	return w
}

// downloads are those of a session, one a second where the clock is not the
// machine's, and that of a session of another project.
func (w *world) downloads(t *testing.T) {
	t.Helper()
	w.words["<session>"], w.words["<empty-session>"], w.words["<other-session>"] = ids.New(), ids.New(), ids.New()
	own := w.asDefault(t)
	for _, n := range []downloads.New{
		{Filename: "report.csv", MIMEType: "text/csv; charset=utf-8", Content: strings.NewReader("a,b\n1,2\n")},
		{Filename: "../../\u202eÜber 100%.txt", Content: strings.NewReader("0123456789\n")},
		{Filename: "page.html", MIMEType: "text/html", Content: strings.NewReader("<script>alert(1)</script>\n")},
		{Filename: "report.csv", MIMEType: "text/csv", Content: strings.NewReader("")},
	} {
		w.download(t, own, "<session>", n)
		w.tick()
	}
	others := must(w.Projects.In(t.Context(), "other"))(t)
	d := w.download(t, others, "<other-session>", downloads.New{Filename: "secret.txt", Content: strings.NewReader("secret")})
	w.words["<other-download>"] = d.ID
}

func (w *world) download(t testing.TB, ctx context.Context, session string, n downloads.New) downloads.Download {
	t.Helper()
	n.SessionID = w.words[session]
	return must(w.Downloads.Store(ctx, n))(t)
}

// unzipped is an archive as it stands in a file: it has to be whole, with each
// content as its sum says.
func unzipped(t *testing.T, data []byte) string {
	t.Helper()
	z := must(archive.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	var b strings.Builder
	fmt.Fprintf(&b, "%d files in %d bytes\n", len(z.File), len(data))
	for _, f := range z.File {
		r := must(f.Open())(t)
		content := must(io.ReadAll(r))(t)
		fmt.Fprintf(&b, "%s of %s: %q\n", f.Name, f.Modified.Format(time.DateTime), content)
	}
	return b.String()
}
