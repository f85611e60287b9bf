package egress_test

import (
	"testing"

	"github.com/drover-go/drover/internal/egress"
)

func TestPoliciesAllowHosts(t *testing.T) {
	t.Parallel()
	p := egress.Policy{AllowedDomains: []string{"shop.example", "127.0.0.1"}}
	for host, want := range map[string]bool{
		"shop.example": true, "a.Shop.example": true, "shop.example.": true, "127.0.0.1": true,
		"workshop.example": false, "example": false, "1.127.0.0.1": false, "": false,
	} {
		if got := p.Allows(host); got != want {
			t.Errorf("%q: %t", host, got)
		}
	}
	if !(egress.Policy{}).Allows("anything.example") {
		t.Error("a policy without domains allows all")
	}
}
