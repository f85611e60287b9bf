package platform

import (
	"encoding/json"

	"github.com/drover-go/drover/runs/actors"
)

// object is one of JSON.
type object map[string]any

// documentOf is an OpenAPI document of the ways in which an Actor is run, with the
// input of a build.
func (x *exchange) documentOf(a actors.Actor, b actors.Build) object {
	title := a.Title
	if title == "" {
		title = a.Name
	}
	at := "/actors/" + x.user().Username + "~" + a.Name
	input := json.RawMessage(b.InputSchema)
	if !json.Valid(input) {
		input = json.RawMessage(`{"type":"object"}`)
	}
	return object{
		"openapi": "3.0.1",
		"info":    object{"title": title, "description": a.Description, "version": versionOf(b), "x-build-id": b.ID},
		"servers": []object{{"url": x.Base() + "/v2"}},
		"security": []object{
			{"httpBearer": []string{}}, {"apiKey": []string{}},
		},
		"paths": object{
			at + "/run-sync-get-dataset-items": runOperation("run-sync-get-dataset-items-"+a.Name, "Runs the Actor, waits for its end, and answers with the items of its dataset.", object{"type": "array", "items": object{"type": "object"}}),
			at + "/run-sync":                   runOperation("run-sync-"+a.Name, "Runs the Actor, waits for its end, and answers with the record OUTPUT of its key-value store.", object{}),
			at + "/runs":                       runOperation("runs-"+a.Name, "Starts a run of the Actor, and answers with it.", object{"$ref": "#/components/schemas/runResponse"}),
		},
		"components": object{
			"securitySchemes": object{
				"httpBearer": object{"type": "http", "scheme": "bearer"},
				"apiKey":     object{"type": "apiKey", "name": "token", "in": "query"},
			},
			"schemas": object{"inputSchema": input, "runResponse": runResponse},
		},
	}
}

// versionOf is the version that a build is of.
func versionOf(b actors.Build) string { return b.Number[:len(b.Number)-len(buildCount(b.Number))] }

// buildCount is the end of a build's number that counts builds, with its dot.
func buildCount(number string) string {
	for i := len(number) - 1; i >= 0; i-- {
		if number[i] == '.' {
			return number[i:]
		}
	}
	return ""
}

// runOperation is a POST that runs an Actor.
func runOperation(id, summary string, result object) object {
	return object{"post": object{
		"operationId": id, "summary": summary,
		"requestBody": object{"required": true, "content": object{"application/json": object{"schema": object{"$ref": "#/components/schemas/inputSchema"}}}},
		"responses":   object{"201": object{"description": summary, "content": object{"application/json": object{"schema": result}}}},
	}}
}

// runResponse is what of a run callers wait for.
var runResponse = object{"type": "object", "required": []string{"data"}, "properties": object{"data": object{
	"type": "object", "required": []string{"id", "actId", "status", "startedAt"}, "properties": object{
		"id": object{"type": "string"}, "actId": object{"type": "string"}, "userId": object{"type": "string"}, "buildId": object{"type": "string"},
		"status":    object{"type": "string", "enum": []actors.Status{actors.Ready, actors.Running, actors.Succeeded, actors.Failed, actors.TimingOut, actors.TimedOut, actors.Aborting, actors.Aborted}},
		"startedAt": object{"type": "string", "format": "date-time"}, "finishedAt": object{"type": "string", "format": "date-time", "nullable": true},
		"defaultKeyValueStoreId": object{"type": "string"}, "defaultDatasetId": object{"type": "string"}, "defaultRequestQueueId": object{"type": "string"},
	},
}}}
