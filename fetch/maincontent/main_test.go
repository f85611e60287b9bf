package maincontent

import "context"

// ctx never ends; what ends one is in work_test.go.
var ctx = context.Background()
