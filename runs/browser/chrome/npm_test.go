package chrome_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
)

// socket is a client behind a websocket.
type socket struct{ conn *websocket.Conn }

func (s socket) Read(ctx context.Context) ([]byte, error) {
	_, frame, err := s.conn.Read(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, io.EOF
	}
	return frame, err
}

func (s socket) Write(ctx context.Context, frame []byte) error {
	return s.conn.Write(ctx, websocket.MessageText, frame)
}

// socketServer serves a session to clients that connect to its address.
func socketServer(t testing.TB, s browser.Session) (address string) {
	t.Helper()
	var wg sync.WaitGroup
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		wg.Add(1)
		defer wg.Done()
		conn.SetReadLimit(64 << 20)
		if err := s.Serve(r.Context(), socket{conn}); err != nil {
			t.Logf("a client's connection ended: %v", err)
		}
		conn.CloseNow()
	}))
	t.Cleanup(func() { srv.Close(); s.Close(); wg.Wait() })
	return "ws" + strings.TrimPrefix(srv.URL, "http")
}

// client runs a script of npm/ against an address and a site.
func client(t *testing.T, script, address, site string, env ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", script)
	cmd.Dir = npmtest.Dir(t, "npm")
	cmd.Env = append(os.Environ(), append(env, "CONNECT_URL="+address, "SITE="+site)...)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "all steps passed") {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// clientSite is what the clients' scripts visit.
func clientSite(t *testing.T) *httptest.Server {
	site := pages(t, map[string]string{
		"/":       `<title>start</title><a href=/second>second</a><input id=name placeholder=name><button id=b onclick="document.title='clicked '+document.getElementById('name').value">go</button>`,
		"/second": `<title>second</title><h1>Second page</h1>`,
		"/popup":  `<title>opener</title><button id=open onclick="window.open('/second?popup')">open</button>`,
		"/frames": `<title>frames</title><iframe id=f src="{other}/inner"></iframe>`,
		"/inner":  `<title>inner</title><button id=in onclick="this.textContent='pressed on '+location.hostname">inner</button>`,
		"/dialog": `<title>dialog</title><button id=d onclick="document.title='confirmed '+confirm('sure?')">ask</button><button id=p onclick="document.title='called '+prompt('name?')">name</button>`,
		"/upload": `<title>upload</title><input type=file id=file onchange="this.files[0].text().then(t => document.title = this.files[0].name + ': ' + t)">`,
		"/save": `<title>save</title><a id=get href="data:text/csv,a,b" download="table.csv">get</a><a id=file href="data:text/csv,c,d" download="file.csv">file</a>
<button id=frame onclick="this.nextSibling.contentDocument.querySelector('a').click()">frame</button><iframe srcdoc="<a href='data:text/csv,e,f' download='frame.csv'>get</a>"></iframe>`,
		"/chooser": `<title>chooser</title><input type=file id=file hidden onchange="this.files[0].text().then(t => document.title = this.files[0].name + ': ' + t)" oncancel="document.title='cancelled'"><button id=pick onclick="this.previousSibling.click()">pick</button>`,
		"/agent":   `<title>agent</title><button onclick="document.title='agent clicked'">agent button</button>`,
		"/worker":  `<title>worker</title><script>new Worker(URL.createObjectURL(new Blob(['postMessage(6*7)']))).onmessage = e => document.title = 'worker ' + e.data</script>`,
		"/big":     `<title>big</title><body style="margin:0;height:3000px;background:linear-gradient(red,blue)"><canvas id=c width=600 height=1200></canvas><script>const x=c.getContext('2d');for(let i=0;i<600;i+=4)for(let j=0;j<1200;j+=4){x.fillStyle='#'+Math.random().toString(16).slice(2,8);x.fillRect(i,j,4,4)}</script>`,
	})
	return site
}

func TestPlaywright(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a whole client in Node.js")
	files := drive(t, "playwright.mjs")
	if diff := cmp.Diff([]string{"file.csv c,d", "frame.csv e,f", "table.csv a,b", "table.csv a,b"}, files); diff != "" {
		t.Error("the files:", diff)
	}
}

func TestPuppeteer(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a whole client in Node.js")
	folder := t.TempDir()
	files := drive(t, "puppeteer.mjs", "FOLDER="+folder)
	if diff := cmp.Diff([]string{"file.csv c,d", "frame.csv e,f", "frame.csv e,f", "table.csv a,b", "table.csv a,b"}, files); diff != "" {
		t.Error("the files:", diff)
	}
	if found, err := os.ReadDir(folder); err != nil || len(found) > 0 {
		t.Errorf("the client had files put into its folder: %v, %v", found, err)
	}
}

// drive runs a script against a session, and returns the files that were
// downloaded meanwhile.
func drive(t *testing.T, script string, env ...string) []string {
	t.Helper()
	site := clientSite(t)
	k := newKept()
	s := openWith(t, sharedProvider(t), browser.Options{Downloads: k.take})
	given := filepath.Join(t.TempDir(), "given.txt")
	if err := os.WriteFile(given, []byte("handed out"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Offer("given.txt", given)
	navigate(t, s, site.URL+"/")
	client(t, script, socketServer(t, s), at(site, "main.test", ""), env...)
	if p, err := s.Page(t.Context()); err != nil || p.URL == "" {
		t.Errorf("afterwards: %+v, %v", p, err)
	}
	s.Close()
	files := k.sorted()
	for i, f := range files { // "path name type size content"
		words := strings.Split(f, " ")
		files[i] = words[1] + " " + words[len(words)-1]
	}
	slices.Sort(files)
	return files
}
