package functions

import "github.com/drover-go/drover/internal/redact"

// redactor takes the values of secrets, by their names, out of texts.
func redactor(secrets map[string]string) func(string) string { return redact.Secrets(secrets) }
