package storage

import "encoding/json"

// List is a list of strings as an argument: IN (SELECT value FROM json_each($1)).
func List(all []string) string {
	if all == nil {
		all = []string{}
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic("storage.List: " + err.Error()) // strings have no error
	}
	return string(text)
}
