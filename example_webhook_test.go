package drover_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/functions"
	"github.com/drover-go/drover/storage/webhooks"
)

// A webhook tells a receiver what happens: here, that a function was invoked. The receiver
// verifies the signature; libraries for Standard Webhooks do the same.
func Example_webhook() {
	secrets, done := make(chan string, 1), make(chan struct{})
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(<-secrets, "whsec_"))
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), body)
		want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		var event struct {
			Type string
			Data struct{ Results json.RawMessage }
		}
		json.Unmarshal(body, &event)
		fmt.Println(event.Type, string(event.Data.Results), r.Header.Get("webhook-signature") == want)
		close(done)
	}))
	defer receiver.Close()

	ctx := context.Background()
	greet := functions.Func("greet", func(ctx context.Context, inv *functions.Invocation) (any, error) {
		return map[string]string{"hello": "world"}, nil
	}, functions.FuncOptions{})
	d, err := drover.Open(ctx, drover.Options{
		Data: drover.InMemory, Functions: []functions.Definition{greet},
		// The receiver of this example is on this machine, without TLS: neither is allowed by default.
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, WebhookLimits: webhooks.Limits{AllowHTTP: true},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	_, secret, err := d.Webhooks.Create(ctx, webhooks.Create{Settings: webhooks.Settings{
		URL: receiver.URL, Events: []string{"functions.invocations.completed"},
	}})
	if err != nil {
		log.Fatal(err)
	}
	secrets <- secret // it is shown once: keep it with the receiver
	if _, err := d.Functions.Invoke(ctx, "greet", functions.Invoke{}); err != nil {
		log.Fatal(err)
	}
	<-done
	// Output:
	// functions.invocations.completed {"hello":"world"} true
}
