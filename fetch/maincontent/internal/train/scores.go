package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// scores are what pages score, by type, and how their mean might have come out
// with other hosts.
type scores struct {
	byKind map[string][]measure
	byHost map[string]map[string][]float64 // F1 by type and host
}

func newScores() *scores {
	return &scores{byKind: map[string][]measure{}, byHost: map[string]map[string][]float64{}}
}

func (s *scores) add(e *example, m measure) {
	for _, kind := range []string{e.kind, "all"} {
		s.byKind[kind] = append(s.byKind[kind], m)
		if s.byHost[kind] == nil {
			s.byHost[kind] = map[string][]float64{}
		}
		s.byHost[kind][e.host] = append(s.byHost[kind][e.host], m.f1)
	}
}

func f1(m measure) float64        { return m.f1 }
func precision(m measure) float64 { return m.precision }
func recall(m measure) float64    { return m.recall }

// printAll prints F1 with its interval, precision and recall.
func (s *scores) printAll(title string) {
	s.print(title+", precision", precision)
	s.print(title+", recall", recall)
	fmt.Printf("%-28s", title+", F1 95 %")
	s.each(func(kind string) {
		low, high := s.interval(kind)
		fmt.Printf(" %s %.3f-%.3f", kind, low, high)
	})
	s.print(title, f1)
}

func (s *scores) print(title string, of func(measure) float64) {
	fmt.Printf("%-28s", title)
	s.each(func(kind string) { fmt.Printf(" %s %.3f", kind, s.mean(kind, of)) })
}

func (s *scores) each(do func(kind string)) {
	for _, kind := range append([]string{"all"}, kinds...) {
		do(kind)
	}
	fmt.Println()
}

func (s *scores) mean(kind string, of func(measure) float64) float64 {
	sum := 0.0
	for _, m := range s.byKind[kind] {
		sum += of(m)
	}
	return sum / float64(max(len(s.byKind[kind]), 1))
}

// draws is how many times the hosts are drawn anew.
const draws = 1000

// interval returns between which means 95 of 100 draws of as many hosts lie.
func (s *scores) interval(kind string) (low, high float64) {
	var hosts []string
	for host := range s.byHost[kind] {
		hosts = append(hosts, host)
	}
	if len(hosts) == 0 {
		return 0, 0
	}
	slices.Sort(hosts)
	random := rand.New(rand.NewPCG(1, 1))
	means := make([]float64, draws)
	for d := range means {
		sum, n := 0.0, 0
		for range hosts {
			for _, v := range s.byHost[kind][hosts[random.IntN(len(hosts))]] {
				sum += v
				n++
			}
		}
		means[d] = sum / float64(n)
	}
	slices.Sort(means)
	return means[draws/40], means[draws-1-draws/40]
}
