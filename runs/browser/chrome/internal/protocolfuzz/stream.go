package protocolfuzz

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
)

// A Step is a command that has been made up. Ids in it are placeholders.
type Step struct {
	Root   bool // it goes to the browser; else to a page or what belongs to one
	On     int  // which of those that there are
	Method string
	Params map[string]any
}

// A pick stands for a value of a pool: the nth, counted round, or the other one
// while the pool is empty.
type pick struct {
	pool string
	n    int
	or   any
}

// MarshalJSON shows the placeholder.
func (p pick) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"pick": p.pool, "n": p.n, "or": p.or})
}

// A Stream makes up commands, the same ones for the same seed.
type Stream struct {
	d       *Description
	rand    *rand.Rand
	methods []choice
	total   int
}

type choice struct {
	root   bool
	method string
	weight int
}

// rare are commands that end or hold up what the others work on.
var rare = []string{
	"Browser.close", "Page.close", "Page.crash", "Target.closeTarget", "Target.disposeBrowserContext", "Debugger.pause", "Fetch.enable",
	"Network.setRequestInterception", "Emulation.setVirtualTimePolicy", "Page.setWebLifecycleState", "Runtime.terminateExecution",
	"Target.detachFromTarget", "Debugger.setSkipAllPauses", "Emulation.setScriptExecutionDisabled", "Page.waitForDebugger", "Page.stopLoading",
	"Network.emulateNetworkConditions", "Network.emulateNetworkConditionsByRule", "Emulation.setCPUThrottlingRate", "Network.setBlockedURLs",
	"Page.reload", "Page.navigate", "Page.navigateToHistoryEntry", "Input.setIgnoreInputEvents", "Profiler.start", "HeapProfiler.takeHeapSnapshot",
	"Inspector.disable", "Page.resetNavigationHistory",
}

// New returns a stream of commands that passes lets through, on the browser or
// on pages.
func New(d *Description, seed uint64, passes func(root bool, method string) bool) *Stream {
	s := &Stream{d: d, rand: rand.New(rand.NewPCG(seed, 0))}
	for _, method := range d.Methods() {
		for _, root := range []bool{false, true} {
			if !passes(root, method) {
				continue
			}
			c := choice{root, method, 20}
			if slices.Contains(rare, method) {
				c.weight = 1
			} else if root {
				c.weight = 8
			}
			s.methods = append(s.methods, c)
			s.total += c.weight
		}
	}
	return s
}

// Methods counts the commands that the stream chooses from.
func (s *Stream) Methods() int { return len(s.methods) }

// Take returns the next n commands.
func (s *Stream) Take(n int) []Step {
	steps := make([]Step, n)
	for i := range steps {
		steps[i] = s.next()
	}
	return steps
}

func (s *Stream) next() Step {
	at := s.rand.IntN(s.total)
	for _, c := range s.methods {
		if at -= c.weight; at < 0 {
			return s.step(c)
		}
	}
	panic("protocolfuzz: the weights do not add up")
}

func (s *Stream) step(c choice) Step {
	step := Step{Root: c.root, Method: c.method}
	if s.chance(40) { // most go to the first, the page itself
		step.On = s.rand.IntN(8)
	}
	step.Params = s.members(s.d.about[c.method].Parameters, 0)
	return step
}

// chance is true so many times of a hundred.
func (s *Stream) chance(percent int) bool { return s.rand.IntN(100) < percent }
