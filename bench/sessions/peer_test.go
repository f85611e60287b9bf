package sessions

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/npmtest"
)

// A peer opens sessions with playwright-core when it is asked to.
type peer struct {
	in  io.WriteCloser
	out *bufio.Scanner
}

// startPeer starts npm/peer.mjs. Without Node.js, or where npm cannot get what
// it needs, the benchmark is skipped.
func startPeer(b *testing.B, browser, url, mode string) *peer {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "node", "peer.mjs")
	cmd.Dir, cmd.Stderr = npmtest.Dir(b, "npm", "--ignore-scripts"), os.Stderr
	cmd.Env = append(os.Environ(), "EXEC="+browser, "URL="+url, "MODE="+mode)
	in, err := cmd.StdinPipe()
	must(b, err)
	out, err := cmd.StdoutPipe()
	must(b, err)
	must(b, cmd.Start())
	b.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	p := &peer{in: in, out: bufio.NewScanner(out)}
	if !p.out.Scan() {
		b.Fatal("playwright-core does not start")
	}
	return p
}

// session is one session of the peer's: the time until there was a page, and
// until all was closed.
func (p *peer) session(b *testing.B) (create, whole time.Duration) {
	b.Helper()
	_, err := io.WriteString(p.in, "one\n")
	must(b, err)
	if !p.out.Scan() {
		b.Fatal("playwright-core has ended")
	}
	var took struct{ Create, Whole float64 }
	must(b, json.Unmarshal(p.out.Bytes(), &took))
	return milliseconds(took.Create), milliseconds(took.Whole)
}

func milliseconds(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }
