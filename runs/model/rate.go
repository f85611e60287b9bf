package model

// Rate bounds how a model is used by all that share it. What is over it waits.
type Rate struct {
	// Requests is how many requests begin in a minute, evenly. Default 0: any
	// number.
	Requests int
	// Tokens is how many tokens are read and written in a minute. They are
	// estimated before a request and counted after it. Default 0: any number.
	Tokens int
	// AtOnce is how many requests are under way at the same time. Default 0: any
	// number.
	AtOnce int
}
