package actors

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// checkEditors checks what the editors of fields ask for beyond their types: lists of
// addresses, and proxies. It returns the first problem; empty for none.
func (p *part) checkEditors(body []byte) string {
	var members map[string]json.RawMessage
	var required []string
	_ = json.Unmarshal(p.property["required"], &required)
	for _, n := range p.properties {
		var editor string
		_ = json.Unmarshal(n.property["editor"], &editor)
		if editor != "requestListSources" && editor != "proxy" {
			continue
		}
		if members == nil && json.Unmarshal(body, &members) != nil {
			return ""
		}
		problem := ""
		if editor == "proxy" {
			problem = proxyProblem("input."+n.name, members[n.name], slices.Contains(required, n.name))
		} else if bad := badSources(members[n.name]); len(bad) > 0 {
			problem = fmt.Sprintf("Items in input.%s at positions [%s] do not contain valid URLs", n.name, strings.Join(bad, ","))
		}
		if problem != "" {
			return problem
		}
	}
	return ""
}

var webAddress = regexp.MustCompile(`^(?i)https?://`)

// badSources are the positions of items in which there is no address.
func badSources(list json.RawMessage) (bad []string) {
	var items []json.RawMessage
	if json.Unmarshal(list, &items) != nil {
		return nil
	}
	for i, item := range items {
		if !isSource(item) {
			bad = append(bad, strconv.Itoa(i))
		}
	}
	return bad
}

// isSource reports whether an item has an address, of a page or of a list of pages, and
// none that is no address.
func isSource(item json.RawMessage) bool {
	var source struct {
		URL  any `json:"url"`
		From any `json:"requestsFromUrl"`
	}
	if first(item) != '{' || json.Unmarshal(item, &source) != nil {
		return false
	}
	for _, at := range []any{source.URL, source.From} {
		if at == nil || at == "" {
			continue
		}
		text, _ := at.(string)
		return webAddress.MatchString(text)
	}
	return false
}

// proxyAddress is an address of a proxy: one with a port.
var proxyAddress = regexp.MustCompile(`^(socks(4a?|5h?)?|https?)://([^@]*@)?[^:@/]+:[0-9]+$`)

// proxyProblem says what is wrong with the choice of a proxy; empty for nothing.
func proxyProblem(field string, value json.RawMessage, required bool) string {
	var proxy struct {
		Use     bool     `json:"useApifyProxy"`
		URLs    []string `json:"proxyUrls"`
		Country string   `json:"apifyProxyCountry"`
	}
	if first(value) != '{' {
		return ""
	}
	if err := json.Unmarshal(value, &proxy); err != nil {
		return "Field " + field + " is not a choice of a proxy"
	}
	if proxy.Use {
		return ""
	}
	if required && len(proxy.URLs) == 0 {
		return "Field " + field + " is required. Please provide custom proxy URLs or use Apify Proxy."
	}
	for _, url := range proxy.URLs {
		if !proxyAddress.MatchString(strings.TrimSpace(url)) {
			return fmt.Sprintf("Proxy URL %.200q of %s is not valid: it must be one of http, https or socks with a host and a port", url, field)
		}
	}
	if proxy.Country != "" {
		return "Field " + field + ".apifyProxyCountry goes with useApifyProxy alone"
	}
	return ""
}
