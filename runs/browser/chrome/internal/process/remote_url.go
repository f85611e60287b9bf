package process

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
)

// endpoint is the address of a remote browser. What follows the host, and what
// comes before it, are secrets: who has them controls the browser.
type endpoint struct{ url *url.URL }

// ParseRemote reads a RemoteURL. The error does not quote it.
func ParseRemote(raw string) (endpoint, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Fragment != "" || !strings.Contains(" ws wss http https ", " "+u.Scheme+" ") {
		return endpoint{}, errtypes.Field("RemoteURL", "must be a ws, wss, http or https URL, like ws://127.0.0.1:9222/devtools/browser/…")
	}
	return endpoint{u}, nil
}

// String is the endpoint without its secrets.
func (e endpoint) String() string { return e.url.Scheme + "://" + e.url.Host }

// dial connects to the endpoint.
func (e endpoint) dial(ctx context.Context) (*socket, error) {
	client := &http.Client{
		Transport:     &http.Transport{DialContext: remoteDialer.DialContext, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("it leads elsewhere") },
	}
	at, err := e.socketURL(ctx, client)
	if err != nil {
		return nil, e.safe(err)
	}
	header := http.Header{}
	if user := at.User; user != nil {
		header.Set("Authorization", basicAuth(user))
		at.User = nil
	}
	conn, _, err := websocket.Dial(ctx, at.String(), &websocket.DialOptions{HTTPClient: client, HTTPHeader: header})
	if err != nil {
		return nil, e.safe(err)
	}
	return newSocket(conn), nil
}

// socketURL is the address of the websocket. Where the endpoint is a base, it is
// asked for it; only its path and query count, so that the browser cannot send
// us to another server.
func (e endpoint) socketURL(ctx context.Context, client *http.Client) (*url.URL, error) {
	at := *e.url
	if strings.HasPrefix(at.Scheme, "ws") {
		return &at, nil
	}
	named, err := e.ask(ctx, client)
	if err != nil {
		return nil, err
	}
	at.Scheme = map[string]string{"http": "ws", "https": "wss"}[at.Scheme]
	at.Path, at.RawPath = named.Path, named.RawPath
	if named.RawQuery != "" {
		at.RawQuery = named.RawQuery
	}
	return &at, nil
}

// maxVersion bounds the answer that names the websocket, in bytes.
const maxVersion = 1 << 20

// ask returns the websocket that the browser's list names.
func (e endpoint) ask(ctx context.Context, client *http.Client) (*url.URL, error) {
	at := *e.url
	at.Path, at.RawPath = strings.TrimSuffix(at.Path, "/")+"/json/version", ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	var version struct{ WebSocketDebuggerURL string }
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("/json/version answers %d", res.StatusCode)
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxVersion)).Decode(&version); err != nil {
		return nil, fmt.Errorf("/json/version is not what a browser answers: %w", err)
	}
	named, err := url.Parse(version.WebSocketDebuggerURL)
	if err != nil || named.Path == "" {
		return nil, errors.New("/json/version names no websocket")
	}
	return named, nil
}

// safe takes the endpoint's secrets out of an error.
func (e endpoint) safe(err error) error {
	if inner, ok := errors.AsType[*url.Error](err); ok { // it quotes the address
		err = inner.Err
	}
	text := err.Error()
	for _, secret := range []string{e.url.String(), e.url.User.String(), e.url.RawQuery, e.url.EscapedPath()} {
		if len(secret) > 1 {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return errors.New(text)
}

func basicAuth(user *url.Userinfo) string {
	password, _ := user.Password()
	req := http.Request{Header: http.Header{}}
	req.SetBasicAuth(user.Username(), password)
	return req.Header.Get("Authorization")
}
