package v1

import "slices"

// Route is one operation of the interface.
type Route struct {
	// Method is in upper case. Every GET answers HEAD too.
	Method string
	// Pattern is a path as internal/wire/route has it.
	Pattern string

	call   call
	public bool // needs no key
}

var routes = []Route{
	{Method: "GET", Pattern: "/healthz", call: health, public: true},
	{Method: "GET", Pattern: "/v1/openapi.json", call: document, public: true},

	{Method: "POST", Pattern: "/v1/agents", call: createAgent},
	{Method: "GET", Pattern: "/v1/agents", call: listAgents},
	{Method: "GET", Pattern: "/v1/agents/{agentId}", call: getAgent},
	{Method: "PATCH", Pattern: "/v1/agents/{agentId}", call: updateAgent},
	{Method: "DELETE", Pattern: "/v1/agents/{agentId}", call: deleteAgent},

	{Method: "POST", Pattern: "/v1/agents/runs", call: createRun},
	{Method: "GET", Pattern: "/v1/agents/runs", call: listRuns},
	{Method: "GET", Pattern: "/v1/agents/runs/{runId}", call: getRun},
	{Method: "GET", Pattern: "/v1/agents/runs/{runId}/messages", call: listMessages},
	{Method: "GET", Pattern: "/v1/agents/runs/{runId}/messages/stream", call: streamMessages},
	{Method: "POST", Pattern: "/v1/agents/runs/{runId}/stop", call: stopRun},
	{Method: "POST", Pattern: "/v1/agents/runs/{runId}/pause", call: pauseRun},
	{Method: "POST", Pattern: "/v1/agents/runs/{runId}/resume", call: resumeRun},

	{Method: "POST", Pattern: "/v1/fetch", call: fetchPage},
	{Method: "POST", Pattern: "/v1/search", call: searchWeb},

	{Method: "POST", Pattern: "/v1/contexts", call: createContext},
	{Method: "GET", Pattern: "/v1/contexts/{contextId}", call: getContext},
	{Method: "PUT", Pattern: "/v1/contexts/{contextId}", call: renewContext},
	{Method: "DELETE", Pattern: "/v1/contexts/{contextId}", call: deleteContext},
	{Method: "POST", Pattern: "/v1/contexts/{contextId}/upload", call: uploadContext},
	{Method: "PUT", Pattern: "/v1/contexts/{contextId}/upload", call: uploadContext},
	{Method: "POST", Pattern: "/v1/certificates", call: uploadCertificate},
	{Method: "GET", Pattern: "/v1/certificates", call: listCertificates},
	{Method: "GET", Pattern: "/v1/certificates/{certificateId}", call: getCertificate},
	{Method: "DELETE", Pattern: "/v1/certificates/{certificateId}", call: deleteCertificate},

	{Method: "GET", Pattern: "/v1/downloads", call: listDownloads},
	{Method: "GET", Pattern: "/v1/downloads/{downloadId}", call: getDownload},
	{Method: "DELETE", Pattern: "/v1/downloads/{downloadId}", call: deleteDownload},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/downloads", call: archiveDownloads},
	{Method: "DELETE", Pattern: "/v1/sessions/{sessionId}/downloads", call: deleteDownloads},

	{Method: "POST", Pattern: "/v1/extensions", call: uploadExtension},
	{Method: "GET", Pattern: "/v1/extensions/{extensionId}", call: getExtension},
	{Method: "DELETE", Pattern: "/v1/extensions/{extensionId}", call: deleteExtension},

	{Method: "GET", Pattern: "/v1/functions", call: listFunctions},
	{Method: "POST", Pattern: "/v1/functions/builds", call: publishProgram},
	{Method: "GET", Pattern: "/v1/functions/builds", call: listFunctionBuilds},
	{Method: "GET", Pattern: "/v1/functions/builds/{buildId}", call: getFunctionBuild},
	{Method: "GET", Pattern: "/v1/functions/builds/{buildId}/logs", call: functionBuildLogs},
	{Method: "POST", Pattern: "/v1/functions/builds/{buildId}/cancel", call: cancelFunctionBuild},
	{Method: "GET", Pattern: "/v1/functions/versions/{versionId}", call: getVersion},
	{Method: "GET", Pattern: "/v1/functions/versions/{versionId}/invocations", call: listInvocations},
	{Method: "GET", Pattern: "/v1/functions/invocations/{invocationId}", call: getInvocation},
	{Method: "GET", Pattern: "/v1/functions/invocations/{invocationId}/logs", call: invocationLogs},
	{Method: "POST", Pattern: "/v1/functions/invocations/{invocationId}/cancel", call: cancelInvocation},
	{Method: "GET", Pattern: "/v1/functions/{functionId}", call: getFunction},
	{Method: "DELETE", Pattern: "/v1/functions/{functionId}", call: deleteFunction},
	{Method: "GET", Pattern: "/v1/functions/{functionId}/versions", call: listVersions},
	{Method: "POST", Pattern: "/v1/functions/{functionId}/rollback", call: rollbackFunction},
	{Method: "POST", Pattern: "/v1/functions/{functionId}/invoke", call: invokeFunction},

	{Method: "GET", Pattern: "/v1/projects", call: listProjects},
	{Method: "GET", Pattern: "/v1/projects/{projectId}", call: getProject},
	{Method: "GET", Pattern: "/v1/projects/{projectId}/usage", call: projectUsage},

	{Method: "POST", Pattern: "/v1/sessions", call: createSession},
	{Method: "GET", Pattern: "/v1/sessions", call: listSessions},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}", call: getSession},
	{Method: "POST", Pattern: "/v1/sessions/{sessionId}", call: updateSession},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/debug", call: debugSession},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/logs", call: sessionLogs},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/recording", call: sessionRecording},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/replays", call: sessionReplays},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/recording/downloads", call: listRecordingDownloads},
	{Method: "POST", Pattern: "/v1/sessions/{sessionId}/recording/downloads", call: requestRecordingDownloads},
	{Method: "POST", Pattern: "/v1/sessions/{sessionId}/uploads", call: uploadToSession},

	{Method: "GET", Pattern: "/v1/secrets/keypair", call: secretsKeypair},
	{Method: "POST", Pattern: "/v1/secrets", call: createSecret},
	{Method: "GET", Pattern: "/v1/secrets", call: listSecrets},
	{Method: "GET", Pattern: "/v1/secrets/{secretId}", call: getSecret},
	{Method: "PATCH", Pattern: "/v1/secrets/{secretId}", call: updateSecret},
	{Method: "DELETE", Pattern: "/v1/secrets/{secretId}", call: deleteSecret},
	{Method: "GET", Pattern: "/v1/functions/{functionId}/secrets", call: listFunctionSecrets},
	{Method: "POST", Pattern: "/v1/functions/{functionId}/secrets", call: attachSecret},
	{Method: "DELETE", Pattern: "/v1/functions/{functionId}/secrets/{secretId}", call: detachSecret},

	{Method: "POST", Pattern: "/v1/webhooks", call: createWebhook},
	{Method: "GET", Pattern: "/v1/webhooks", call: listWebhooks},
	{Method: "GET", Pattern: "/v1/webhooks/{webhookId}", call: getWebhook},
	{Method: "PATCH", Pattern: "/v1/webhooks/{webhookId}", call: updateWebhook},
	{Method: "DELETE", Pattern: "/v1/webhooks/{webhookId}", call: deleteWebhook},
	{Method: "POST", Pattern: "/v1/webhooks/{webhookId}/secret", call: rotateWebhookSecret},
	{Method: "POST", Pattern: "/v1/webhooks/{webhookId}/test", call: testWebhook},
	{Method: "GET", Pattern: "/v1/webhooks/{webhookId}/deliveries", call: listDeliveries},
	{Method: "POST", Pattern: "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver", call: redeliver},

	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/connect", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/connect/json/version", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/connect/json/version/", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/json/version", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/json/version/", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/live", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/live/socket", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/replay", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/replay/events", call: forwardToSession, public: true},
	{Method: "GET", Pattern: "/v1/sessions/{sessionId}/recording/downloads/{pageId}", call: forwardToSession, public: true},
}

// Routes returns every route, for the OpenAPI document to be held against.
func Routes() []Route { return slices.Clone(routes) }
