package main

import (
	"context"
	"net/url"
	"slices"
)

// targetNames are the names of Actors and tasks by their ids. What was deleted has none.
type targetNames map[string]string

// targetNames are those of what schedules start: one list of Actors and one of tasks at
// the most are asked for, however many schedules there are.
func (a *apiClient) targetNames(ctx context.Context, all ...scheduleState) (targetNames, error) {
	names := targetNames{}
	for kind, path := range map[string]string{runActor: "/v2/actors", runTask: "/v2/actor-tasks"} {
		if !slices.ContainsFunc(all, func(s scheduleState) bool { return s.starts(kind) }) {
			continue
		}
		if err := pages(ctx, a, path, url.Values{}, 0, func(page []actorState) error {
			for _, target := range page {
				names[target.ID] = target.Name
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return names, nil
}

// starts reports whether an action is of a kind.
func (s scheduleState) starts(kind string) bool {
	return slices.ContainsFunc(s.Actions, func(a actionState) bool { return a.Type == kind })
}
