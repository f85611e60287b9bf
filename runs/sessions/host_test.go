package sessions

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// hostEnv makes the test binary a host of sessions on the data directory it
// names; inMemory stands for none.
const (
	hostEnv  = "DROVER_SESSIONS_TEST_HOST"
	inMemory = "in memory"
)

// hostMain opens a session, with a file uploaded to it, for each line on its
// standard input and answers with its id and address, until it is killed.
func hostMain(dir string) error {
	ctx := context.Background()
	path, _, err := chrome.Find()
	if err != nil {
		return err
	}
	p, err := chrome.New(chrome.Options{ExecPath: path, Gate: chrometest.LocalGate(), TempDir: os.Getenv(hostEnv + "_TEMP"), Logger: discard})
	if err != nil {
		return err
	}
	if os.Getenv(saverEnv) != "" {
		return saverMain(ctx, dir, p)
	}
	if dir == inMemory {
		dir = ""
	}
	w, err := open(ctx, setup{dir: dir, browser: p, downloads: true, traffic: 50 * time.Millisecond, flush: 50 * time.Millisecond})
	if err != nil {
		return err
	}
	c := Create{KeepAlive: true}
	if name := os.Getenv(hostEnv + "_EXTENSION"); name != "" {
		if c.Settings.ExtensionID, err = keepExtension(ctx, w, name); err != nil {
			return err
		}
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		s, err := w.Create(ctx, c)
		if err == nil {
			err = w.Upload(ctx, s.ID, Upload{"up.txt", strings.NewReader("uploaded")})
		}
		if err != nil {
			return err
		}
		fmt.Println(s.ID, s.ConnectURL)
	}
	return in.Err()
}
