package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/hosthttp"
	"github.com/drover-go/drover/internal/shorten"
	"github.com/drover-go/drover/runs/model"
)

// A Fault is what a provider says went wrong, whatever form it has: an object
// with "error" in it, a text in its place, a list of such, or no JSON at all.
type Fault struct {
	Status  int    // of HTTP; 0 where the answer had begun
	Code    string // the provider's word or number for it: error.code, else error.status, else error.type
	Type    string // error.type
	Param   string // the field at fault
	Message string
	Delay   time.Duration // after which to ask again; 0 where it says nothing
	// Failed is what the model said, where a server could not read it as the call
	// or the JSON that it should be; empty for nothing told.
	Failed string
}

// Error is what a log says beside the message.
func (f Fault) Error() string {
	var all []string
	if f.Status != 0 {
		all = append(all, fmt.Sprintf("status %d", f.Status))
	}
	for _, said := range [][2]string{{"code", f.Code}, {"type", f.Type}, {"field", f.Param}} {
		if said[1] != "" && !(said[0] == "type" && said[1] == f.Code) {
			all = append(all, fmt.Sprintf("%s %q", said[0], said[1]))
		}
	}
	return cmp.Or(strings.Join(all, ", "), "it says no more")
}

// FaultOf returns what a provider said, of an error of [Client.Post] or
// [Client.Fault]; false if it said nothing.
func FaultOf(err error) (Fault, bool) { return errors.AsType[Fault](err) }

// maxFault is how many bytes of a refusal are read.
const maxFault = 64 << 10

// refused reads an answer whose status is no success.
func (a *Answer) refused() error {
	raw, _ := io.ReadAll(io.LimitReader(body{a}, maxFault)) // what has come is enough
	if a.caller.Err() != nil {
		return a.broken(a.caller.Err(), model.ErrorNetwork, "")
	}
	f, ok := ReadFault(raw)
	if !ok {
		f.Message = plainText(raw)
	}
	f.Status = a.res.StatusCode
	if d, ok := hosthttp.RetryAfter(a.res.Header, a.client.opts.Clock.Now()); ok {
		f.Delay = d
	}
	return a.client.Fault(f)
}

// ReadFault finds the fault in a document; false if there is none: members named
// "error" that are null are none.
func ReadFault(raw []byte) (f Fault, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		raw = list[0]
	}
	var doc struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(raw, &doc) != nil || len(doc.Error) == 0 || string(doc.Error) == "null" {
		return Fault{}, false
	}
	var text string
	if json.Unmarshal(doc.Error, &text) == nil {
		return Fault{Message: text}, true
	}
	var e struct {
		Message, Type, Status, Param, Code any
		Failed                             any `json:"failed_generation"`
		Details                            []struct {
			RetryDelay any `json:"retryDelay"`
			Violations []struct {
				QuotaID any `json:"quotaId"`
			} `json:"violations"`
		} `json:"details"`
	}
	if json.Unmarshal(doc.Error, &e) != nil {
		return Fault{Message: string(doc.Error)}, true
	}
	f = Fault{Code: word(e.Code), Type: word(e.Type), Param: word(e.Param), Message: word(e.Message)}
	if status := word(e.Status); status != "" {
		f.Code = status // Gemini's word; its code is the number of HTTP again
	}
	if f.Code == "" {
		f.Code = f.Type
	}
	f.Failed = word(e.Failed)
	for _, d := range e.Details {
		if delay, err := time.ParseDuration(word(d.RetryDelay)); err == nil && delay > 0 {
			f.Delay = delay
		}
		for _, v := range d.Violations {
			if strings.Contains(word(v.QuotaID), "PerDay") {
				f.Type = "insufficient_quota" // Gemini has the same word for it as for too many requests a minute
			}
		}
	}
	return f, true
}

// word is a text or a number; empty for anything else.
func word(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// Fault is the error that a fault stands for. Its message quotes the provider,
// without the client's secrets; [FaultOf] gives the rest of what it said.
func (c *Client) Fault(f Fault) *model.Error {
	for _, said := range []*string{&f.Code, &f.Type, &f.Param, &f.Message, &f.Failed} {
		*said = c.clean(strings.ToValidUTF8(*said, "\uFFFD"))
	}
	e := &model.Error{Kind: f.kind(), RetryAfter: f.Delay}
	switch e.Kind {
	case model.ErrorRate, model.ErrorOverloaded, model.ErrorNetwork:
		e.Temporary = true
	}
	said := shorten.Bytes(f.Message, 500)
	if said == "" {
		said = http.StatusText(f.Status)
	}
	verb := verbs[e.Kind]
	if e.Kind == model.ErrorModel && !namesModel.MatchString(f.Code+" "+f.Message) {
		verb = noRoute
	}
	e.Message = fmt.Sprintf("the language model at %s %s: %s", c.host(), verb, said)
	return e.WithCause(f)
}

// verbs say what the provider did, by kind.
var verbs = map[model.ErrorKind]string{
	model.ErrorAuth:       "refuses the key",
	model.ErrorQuota:      "has nothing left for this account",
	model.ErrorRate:       "has had too many requests",
	model.ErrorModel:      "does not have the model",
	model.ErrorOverflow:   "cannot read so long a conversation",
	model.ErrorRequest:    "refuses the request",
	model.ErrorOverloaded: "has a fault",
	model.ErrorNetwork:    "took too long",
	model.ErrorOther:      "gave an answer that is none",
}

// namesModel tells a server that does not have the model from one that does not have
// the route, and answers with status 404, too.
var namesModel = regexp.MustCompile(`(?i)model`)

const noRoute = "has nothing at this address, or not the model; is the path of the base URL right (many end in /v1)?"

// kind is told by the status, except where the provider's word for the fault says
// more: a stream that has begun, and some servers always, have status 200, and
// 400 stands for many things.
func (f Fault) kind() model.ErrorKind {
	if f.Status == 0 || f.Status < 300 {
		if n, err := strconv.Atoi(f.Code); err == nil && n >= 400 {
			f.Status = n
		}
	}
	if overflowing.MatchString(f.Code) || f.Status < 500 && f.Status != http.StatusTooManyRequests && overflowing.MatchString(f.Message) {
		return model.ErrorOverflow
	}
	if k := f.word(decisive); k != model.ErrorOther {
		return k
	}
	if k := kindOfStatus(f.Status); k != model.ErrorOther && k != model.ErrorRequest {
		return k
	}
	if k := f.word(kindOfWord); k != model.ErrorOther {
		return k
	}
	return kindOfStatus(f.Status)
}

func (f Fault) word(kinds map[string]model.ErrorKind) model.ErrorKind {
	switch {
	case badKey.MatchString(f.Message):
		return model.ErrorAuth
	case noMoney.MatchString(f.Message):
		return model.ErrorQuota
	}
	return cmp.Or(kinds[strings.ToLower(f.Code)], kinds[strings.ToLower(f.Type)])
}

// badKey is how some say with status 400 that the key is wrong.
var badKey = regexp.MustCompile(`(?i)api.?key (is )?(not valid|invalid)|invalid api.?key`)

// noMoney is how some say with status 400 that the account is empty.
var noMoney = regexp.MustCompile(`(?i)credit balance is too low|(spend|spending|usage) limit.{0,40}(reached|exceeded)|(reached|exceeded).{0,40}(spend|spending|usage) limit`)

// overflowing is what providers call a conversation that is too long.
var overflowing = regexp.MustCompile(`(?i)context_length_exceeded|exceed_context_size|prompt is too long|maximum context length|context (window|size|length) .{0,40}exceed|exceeds? .{0,40}(context (window|size|length)|maximum number of tokens)|request_too_large`)

// decisive words count more than the status: an account without money has 429,
// too.
var decisive = map[string]model.ErrorKind{
	"insufficient_quota": model.ErrorQuota, "billing_error": model.ErrorQuota, "billing_hard_limit_reached": model.ErrorQuota,
	"model_not_found": model.ErrorModel,
}

var kindOfWord = map[string]model.ErrorKind{
	"invalid_api_key": model.ErrorAuth, "authentication_error": model.ErrorAuth, "permission_error": model.ErrorAuth,
	"unauthenticated": model.ErrorAuth, "permission_denied": model.ErrorAuth,
	"rate_limit_exceeded": model.ErrorRate, "rate_limit_error": model.ErrorRate, "resource_exhausted": model.ErrorRate,
	"not_found_error": model.ErrorModel, "not_found": model.ErrorModel,
	"invalid_request_error": model.ErrorRequest, "invalid_argument": model.ErrorRequest, "failed_precondition": model.ErrorRequest,
	"overloaded_error": model.ErrorOverloaded, "api_error": model.ErrorOverloaded, "server_error": model.ErrorOverloaded,
	"unavailable": model.ErrorOverloaded, "internal": model.ErrorOverloaded, "internal_server_error": model.ErrorOverloaded,
	"timeout_error": model.ErrorNetwork, "deadline_exceeded": model.ErrorNetwork,
}

func kindOfStatus(status int) model.ErrorKind {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return model.ErrorAuth
	case http.StatusPaymentRequired:
		return model.ErrorQuota
	case http.StatusNotFound:
		return model.ErrorModel
	case http.StatusRequestEntityTooLarge:
		return model.ErrorOverflow
	case http.StatusTooManyRequests:
		return model.ErrorRate
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusGatewayTimeout:
		return model.ErrorNetwork
	}
	switch {
	case status >= 500:
		return model.ErrorOverloaded
	case status >= 300:
		return model.ErrorRequest
	}
	return model.ErrorOther
}

var tags = regexp.MustCompile(`(?s)<(script|style)\b.*?</(script|style)>|<[^>]*>`)

// plainText is what a page of errors says, in one line.
func plainText(raw []byte) string {
	text := html.UnescapeString(tags.ReplaceAllString(string(raw), " "))
	return strings.Join(strings.Fields(text), " ")
}
