// Package webhooks has the mechanics of sending webhooks, without a database: payloads
// and headers made by templates, signatures, the times of retries, one request.
package webhooks
