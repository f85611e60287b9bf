package platform_test

import (
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/actors"
)

// URLs that a run hands to others lead to where clients see the service: the endpoint
// that it asks itself is gone with the process.
func TestURLsOfRunsLeadToThePublicAddress(t *testing.T) {
	t.Parallel()
	const program = `
await ask("PUT", "/key-value-stores/" + kv + "/records/picture", {});
const at = (name, url) => { saw[name] = url.startsWith(base) ? "the endpoint" : url.replace(kv, "KV").replace(ds, "DS").replace(/signature=.*/, "signature"); };
saw.public = e.APIFY_API_PUBLIC_BASE_URL === e.APIFY_API_BASE_URL ? "the endpoint" : e.APIFY_API_PUBLIC_BASE_URL;
at("keys", (await ask("GET", "/key-value-stores/" + kv)).data.keysPublicUrl);
at("record", (await ask("GET", "/key-value-stores/" + kv + "/keys?prefix=picture")).data.items[0].recordPublicUrl);
at("items", (await ask("GET", "/datasets/" + ds)).data.itemsPublicUrl);
await done();
`
	for public, want := range map[string]map[string]any{
		"": {"public": "the endpoint", "keys": "the endpoint", "record": "the endpoint", "items": "the endpoint"},
		"https://drover.example/below/": {
			"public": "https://drover.example/below",
			"keys":   "https://drover.example/below/v2/key-value-stores/KV/keys?signature",
			"record": "https://drover.example/below/v2/key-value-stores/KV/records/picture?signature",
			"items":  "https://drover.example/below/v2/datasets/DS/items?signature",
		},
	} {
		h := newHost(t, func(o *drover.Options) { o.PublicURL = public })
		a := h.made(t, "public", actors.LimitedPermissions, program)
		h.saw(t, h.ran(t, a, `{}`), want)
	}
}
