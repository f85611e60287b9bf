package policy

import (
	"encoding/json"
	"strings"
)

// A World is what belongs to one client. Ids are those of the protocol.
type World interface {
	// Context is the browser context of what the command is sent to: that of
	// the target, or of the client's session for a root.
	Context() string
	// Alone reports whether the session shares its browser with no other.
	Alone() bool
	OwnsContext(id string) bool
	OwnsTarget(id string) bool
	OwnsSession(id string) bool
	// OwnsWindow reports whether the client was told of the window as one of
	// its own targets'.
	OwnsWindow(id int64) bool
	// OwnsExtension reports whether the session has loaded the extension.
	OwnsExtension(id string) bool
	// Upload returns the file that the session has handed out under a name, or
	// under a path that ends in it.
	Upload(name string) (path string, ok bool)
}

// A Level is what a protocol session is attached to.
type Level int

const (
	// Browser is a root: commands there are about the whole browser.
	Browser Level = iota
	// Page is a page.
	Page
	// Frame is a frame of another site in a page, which has a session of its own.
	Frame
	// Worker is a worker or worklet of one page, with which its sessions end.
	Worker
	// SharedWorker is a worker that pages share, a service worker or a shared one:
	// its sessions outlive it.
	SharedWorker
	// Tab is what a page is in.
	Tab
)

// An Act is what becomes of a command.
type Act int

const (
	// Refuse answers with an error. It is the zero value.
	Refuse Act = iota
	// Pass hands the command to the browser.
	Pass
	// Stage has the multiplexer answer in the browser's place, or work on the
	// browser's answer.
	Stage
)

// A Rule says what becomes of a command, once its checks have passed.
type Rule struct {
	Do     Act
	Checks []Check
	Why    string // of a refusal, for the client
	// Alone is for commands that pass in a session which shares its browser with
	// no other. Elsewhere they are refused.
	Alone bool

	absent bool
}

// A Check refuses parameters with an error, or changes them.
type Check func(p *Params, w World) error

func pass(checks ...Check) Rule  { return Rule{Do: Pass, Checks: checks} }
func stage(checks ...Check) Rule { return Rule{Do: Stage, Checks: checks} }
func refuse(why string) Rule     { return Rule{Why: why} }

// alone lets through what is refused where others use the browser.
func alone(why string, checks ...Check) Rule {
	return Rule{Do: Pass, Checks: checks, Why: why + "; ask for a session with a process of its own (browserSettings.ownProcess)", Alone: true}
}

// unknown refuses what no table names: protocol methods of newer browsers
// included, since nobody has looked at them.
var unknown = refuse("it is not among the commands that a session's clients may use")

// staged is the rule for a command that the multiplexer works on, too.
func staged(r Rule) Rule {
	r.Do = Stage
	return r
}

// notThere refuses what workers and tabs do not have: as Chromium answers, where
// it does not die of it.
var notThere = Rule{Why: "what the session is attached to has no such command", absent: true}

// Find returns the rule for a method on a level. Methods of the domains Browser
// and Target are the same for roots and pages, since pages' sessions take them,
// too.
func Find(level Level, method string) Rule {
	domain, _, _ := strings.Cut(method, ".")
	in, unknown := []map[string]Rule{shared}, unknown
	switch level {
	case Browser:
		in = append(in, onBrowser)
	case Frame:
		if rule, ok := ofFrame(method, domain); ok {
			return rule
		}
		in = append(in, onPage)
	case Page:
		in = append(in, onPage)
	case Worker:
		in, unknown = []map[string]Rule{anywhere, onWorker}, notThere
	case SharedWorker:
		in, unknown = []map[string]Rule{anywhere, onSharedWorker, onWorker}, notThere
	default:
		in, unknown = []map[string]Rule{anywhere, onTab}, notThere
	}
	for _, name := range []string{method, domain} {
		for _, table := range in {
			if rule, ok := table[name]; ok {
				return rule
			}
		}
	}
	return unknown
}

// ofFrame is the rule for a method on a frame where it is not that for a page.
func ofFrame(method, domain string) (Rule, bool) {
	for _, name := range []string{method, domain} {
		if rule, ok := onFrame[name]; ok {
			return rule, true
		}
	}
	return Rule{}, false
}

// Decide applies the rule to a command. It returns the parameters to go on
// with, or the error for the client.
func Decide(level Level, c Command, w World) (Act, json.RawMessage, *Fault) {
	rule := Find(level, c.Method)
	switch {
	case !Known(c.Method), rule.absent:
		return Refuse, nil, c.Fault(CodeMethod, "'"+c.Method+"' wasn't found")
	case rule.Do == Refuse, rule.Alone && !w.Alone():
		return Refuse, nil, c.Fault(CodeServer, c.Method+" is refused: "+rule.Why)
	}
	if err := checkNumbers(c.Method, c.Params); err != nil {
		return Refuse, nil, c.Fault(CodeParams, c.Method+": "+err.Error())
	}
	if len(rule.Checks) == 0 {
		return rule.Do, c.Params, nil
	}
	p, err := ReadParams(c.Params)
	for _, check := range rule.Checks {
		if err == nil {
			err = check(p, w)
		}
	}
	if err != nil {
		return Refuse, nil, c.Fault(CodeParams, c.Method+": "+err.Error())
	}
	params, err := p.encode(c.Params)
	if err != nil {
		return Refuse, nil, c.Fault(CodeParams, c.Method+": "+err.Error())
	}
	return rule.Do, params, nil
}
