package httpadapter

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/runs/search"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/schedules"
	"github.com/drover-go/drover/storage/certificates"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/extensions"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/secrets"
	"github.com/drover-go/drover/storage/storagetest"
	"github.com/drover-go/drover/storage/webhooks"
)

// firstLine is a log of which the first line counts.
type firstLine chan string

func (l firstLine) Write(p []byte) (int, error) {
	select {
	case l <- string(p):
	default:
	}
	return len(p), nil
}

// start serves real agents on a listener, with a small buffer for what is
// sent. The project is that of the key.
func start(t *testing.T, o Options) (address, key string, s agents.Service, p projects.Project) {
	t.Helper()
	h, key, saved, p := wired(t, o)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := Server(h, slog.New(slog.DiscardHandler))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(smallBuffers{l}) }()
	t.Cleanup(func() {
		server.Close()
		<-ended
	})
	return l.Addr().String(), key, saved, p
}

// wired is the handler of real agents.
func wired(t *testing.T, o Options) (h http.Handler, key string, saved agents.Service, p projects.Project) {
	t.Helper()
	db := storagetest.Open(t)
	callers, err := projects.New(t.Context(), db, projects.Options{RequireProject: true})
	if err != nil {
		t.Fatal(err)
	}
	if saved, err = agents.New(t.Context(), db, callers, agents.Options{}); err != nil {
		t.Fatal(err)
	}
	if p, err = callers.Get(t.Context(), projects.Default); err != nil {
		t.Fatal(err)
	}
	if _, key, err = callers.CreateKey(t.Context(), projects.Default, "test"); err != nil {
		t.Fatal(err)
	}
	h = Handler(Services{Services: drover.Services{Agents: saved, Projects: callers, Runs: struct{ runs.Service }{}, Fetch: struct{ fetch.Service }{}, Functions: struct{ functions.Service }{}, Builds: struct{ builds.Service }{}, Secrets: struct{ secrets.Service }{}, Sessions: struct{ sessions.Service }{}, Contexts: struct{ contexts.Service }{}, Downloads: struct{ downloads.Service }{}, Certificates: struct{ certificates.Service }{}, Extensions: struct{ extensions.Service }{}, Search: search.Off, Records: struct{ records.Service }{}, Actors: struct{ actors.Service }{}, Schedules: struct{ schedules.Service }{}, Webhooks: struct{ webhooks.Service }{}}}, o)
	return h, key, saved, p
}

// smallBuffers are connections that hold little of what nobody reads.
type smallBuffers struct{ net.Listener }

func (l smallBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(4 << 10)
	}
	return c, err
}

// A client that does not read its answer must not hold the server for good.
func TestAnswerThatNobodyReadsIsGivenUp(t *testing.T) {
	log := make(firstLine, 1)
	address, key, saved, p := start(t, Options{AnswerTimeout: 50 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(log, nil))})
	ctx := projects.With(t.Context(), p)
	for range 20 { // 1.2 MB of answer
		if _, err := saved.Create(ctx, agents.Create{Name: "x", SystemPrompt: strings.Repeat("y", 60_000)}); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "GET /v1/agents?limit=1000 HTTP/1.1\r\nHost: x\r\nX-BB-API-Key: "+key+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if line := <-log; !strings.Contains(line, "route=/v1/agents") { // it is over, although nothing was read
		t.Error(line)
	}
	if n, whole := readAnswer(conn); whole {
		t.Errorf("all of the answer came, %d bytes", n)
	}
}

// readAnswer reads what has been sent, and tells whether it is all.
func readAnswer(conn net.Conn) (n int64, whole bool) {
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0, false
	}
	defer res.Body.Close()
	n, err = io.Copy(io.Discard, res.Body)
	return n, err == nil
}
