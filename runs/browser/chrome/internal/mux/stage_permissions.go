package mux

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// grantPermissions grants what the session may have. Where that is not all, the
// error names the rest, since the browser's answer says nothing.
func (c *conn) grantPermissions(st *attachment, cmd policy.Command) {
	var p map[string]json.RawMessage
	var asked []string
	json.Unmarshal(cmd.Params, &p)
	if (world{c, st}).Alone() || json.Unmarshal(p["permissions"], &asked) != nil {
		c.forward(st, cmd)
		return
	}
	may, not, why := policy.Grantable(asked)
	if len(not) == 0 {
		c.forward(st, cmd)
		return
	}
	p["permissions"], _ = json.Marshal(append([]string{}, may...)) // of strings
	c.later(cmd, func() (any, error) {
		if _, err := c.call(st.real, cmd.Method, p); err != nil {
			return nil, err
		}
		granted := "nothing"
		if len(may) > 0 {
			granted = strings.Join(may, ", ")
		}
		return nil, fmt.Errorf("%s: granted are %s, and not %s: %w", cmd.Method, granted, strings.Join(not, ", "), why)
	})
}
