package model

import (
	"math"
	"path"
)

// Usage counts tokens. No token is in two of the five counts. All are zero where
// no tokens are used.
type Usage struct {
	// Input counts what was read anew, CacheRead what came from a cache of the
	// provider, CacheWrite what was put into one for a short time, and
	// CacheWriteLong for a long one.
	Input, CacheRead, CacheWrite, CacheWriteLong int64
	// Output counts everything written that is paid for, reasoning included.
	Output int64
	// Reasoning is the part of Output that was reasoning.
	Reasoning int64
	// Estimated says that the provider told nothing, at least once: then a token
	// stands for 4 bytes.
	Estimated bool
}

// Add returns the sum of two counts.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, CacheRead: u.CacheRead + v.CacheRead,
		CacheWrite: u.CacheWrite + v.CacheWrite, CacheWriteLong: u.CacheWriteLong + v.CacheWriteLong,
		Output: u.Output + v.Output, Reasoning: u.Reasoning + v.Reasoning,
		Estimated: u.Estimated || v.Estimated,
	}
}

// Total returns the sum of the five counts.
func (u Usage) Total() int64 {
	return u.Input + u.CacheRead + u.CacheWrite + u.CacheWriteLong + u.Output
}

// Estimate returns what an exchange may have used of which nothing is told but
// its bytes.
func Estimate(sent, received int) Usage {
	return Usage{Input: int64(sent+3) / 4, Output: int64(received+3) / 4, Estimated: true}
}

// Price is what a million tokens of a model cost, for each of the five counts of
// [Usage], in whatever currency the host counts in.
type Price struct {
	// Model is the name that a price is for, or a pattern of [path.Match] where
	// * does not match a slash. Default none: it fits no model.
	Model string
	// Above is the number of tokens of one question from which on the price
	// counts, caches included. Of several prices that fit, the one with the
	// largest Above counts. Default 0.
	Above int64
	// The prices of a million tokens, 0 or more. Default 0: for nothing.
	Input, CacheRead, CacheWrite, CacheWriteLong, Output float64
}

// Cost returns what an exchange costs, in millionths.
func (p Price) Cost(u Usage) int64 {
	return int64(math.Round(float64(u.Input)*p.Input + float64(u.CacheRead)*p.CacheRead +
		float64(u.CacheWrite)*p.CacheWrite + float64(u.CacheWriteLong)*p.CacheWriteLong + float64(u.Output)*p.Output))
}

// Prices are those of several models, the first ones before the others.
type Prices []Price

// Of returns the price of one question; false if the model has none.
func (all Prices) Of(name string, u Usage) (found Price, ok bool) {
	asked := u.Total() - u.Output
	for _, p := range all {
		if fits, err := path.Match(p.Model, name); err != nil || !fits || asked < p.Above {
			continue
		}
		if !ok || p.Above > found.Above {
			found, ok = p, true
		}
	}
	return found, ok
}
