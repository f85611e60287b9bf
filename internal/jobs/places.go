package jobs

// keepPlaces has the ledgers keep a place for each job in line, and for no other.
func (l *loop) keepPlaces() {
	for a, line := range l.lines {
		kept := l.places[a]
		for id, leave := range kept {
			if !line.has(id) {
				leave()
				delete(kept, id)
			}
		}
		for _, j := range line.byAge() { // who waits longer is served before
			if kept[j.ID] == nil {
				kept[j.ID] = a.Await(j, func() { l.wakeSharing(a) })
			}
		}
	}
}

func (l line) has(id string) bool {
	for _, j := range l {
		if j.ID == id {
			return true
		}
	}
	return false
}

// leavePlaces leaves all.
func (l *loop) leavePlaces() {
	for _, kept := range l.places {
		for id, leave := range kept {
			leave()
			delete(kept, id)
		}
	}
}

// wakeSharing makes the queue look for jobs of all kinds that share a ledger.
func (q *Queue) wakeSharing(a Admission) {
	for name, k := range q.kinds {
		if k.opts.Admission == a {
			q.Wake(name)
		}
	}
}
