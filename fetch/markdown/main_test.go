package markdown

import "context"

// ctx never ends; what ends one is in cancel_test.go.
var ctx = context.Background()
