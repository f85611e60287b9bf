package drover_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
	script "github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/storage/downloads"
)

// A run downloads a file, reads it back, and gives that and another, which it was
// given, to a page.
func TestRunsUseFiles(t *testing.T) {
	t.Parallel()
	got := make(chan string, 10)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/report.csv":
			w.Header().Set("Content-Disposition", "attachment")
			w.Header().Set("Content-Type", "text/csv")
			io.WriteString(w, "name,price\nLamp,5\n")
		case "/send":
			if err := r.ParseMultipartForm(1 << 20); err == nil {
				for _, h := range r.MultipartForm.File["f"] {
					f, _ := h.Open()
					content, _ := io.ReadAll(f)
					got <- h.Filename + "=" + string(content)
				}
			}
			close(got)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<a href=/report.csv>Report</a><form method=post action=/send enctype=multipart/form-data><input type=file name=f multiple aria-label=Files><button>Send</button></form>`)
		}
	}))
	t.Cleanup(site.Close)
	on := func(tool, element string, more map[string]any) script.Turn {
		return script.Turn{Do: func(_ context.Context, r model.Request) (model.Response, error) {
			input := map[string]any{"ref": refOf(r, element)}
			for k, v := range more {
				input[k] = v
			}
			return model.Response{Content: []model.Part{model.Call(fmt.Sprint(tool, len(r.Messages)), tool, input)}}, nil
		}}
	}
	m := script.New(
		script.Call("navigate", map[string]string{"url": site.URL}),
		on("click", `link "Report"`, nil),
		script.Call("downloads", map[string]any{}),
		script.Call("downloads", map[string]any{"name": "report.csv"}),
		script.Call("snapshot", nil),
		on("upload", `"Files"`, map[string]any{"files": []string{"report.csv", "given.txt"}}),
		on("click", `button "Send"`, nil),
		script.Call("done", map[string]any{"success": true}),
	)
	d := drovertest.New(t, drover.Options{Model: m})
	given, err := d.Downloads.Store(t.Context(), downloads.New{SessionID: "host", Filename: "given.txt", Content: strings.NewReader("from the host")})
	if err != nil {
		t.Fatal(err)
	}
	for _, ids := range [][]string{{"nothing"}, {given.ID, ""}, make([]string, 101)} {
		if _, err := d.Runs.Create(t.Context(), runs.Create{Task: "x", Files: ids}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %v", ids[0], err)
		}
	}
	run, err := d.Runs.Create(t.Context(), runs.Create{Task: "x", Files: []string{given.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if run, err = d.Runs.Wait(t.Context(), run.ID); err != nil || run.Status != runs.Completed {
		t.Fatalf("%+v, %v\n%s", run, err, everythingSaid(t, d, m, run))
	}
	var sent []string
	for f := range got {
		sent = append(sent, f)
	}
	if strings.Join(sent, " ") != "report.csv=name,price\nLamp,5\n given.txt=from the host" {
		t.Errorf("%q", sent)
	}
	if all := everythingSaid(t, d, m, run); !strings.Contains(all, `\"report.csv\" text/csv, 18 bytes, downloaded`) || !strings.Contains(all, "Lamp,5") {
		t.Error(all)
	}
}
