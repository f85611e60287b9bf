// Every method of every resource of the public client of the hosted service, unmodified.
// What the methods do in detail is in the other scripts.
import assert from "node:assert/strict";
import Browserbase, { toFile } from "@browserbasehq/sdk";
import { chromium } from "playwright-core";
import { step, end, until } from "./steps.mjs";
import { watch, covered } from "./calls.mjs";

const { BASE_URL, API_KEY, SITE, CA_FILE, EXTENSION, FUNCTION, KEYPAIR, SEALED } = process.env;
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL, maxRetries: 0 });
const file = (base64, name) => toFile(Buffer.from(base64, "base64"), name);

// resources are those of the client and those below them, by path, each with its class.
function resources(of, below, found = {}) {
  for (const [name, value] of Object.entries(of)) {
    if (value?._client !== client) continue;
    found[below + name] = value.constructor;
    resources(value, `${below}${name}.`, found);
  }
  return found;
}
const methods = watch(resources(client, ""));

const missing = async (call) => assert.rejects(call, Browserbase.NotFoundError);
const none = "01999999-0000-7000-8000-000000000000";

await step("what is not there", async () => {
  for (const of of [client.agents, client.agents.runs, client.certificates, client.contexts, client.extensions, client.projects, client.secrets, client.sessions, client.sessions.logs, client.sessions.recording, client.sessions.replays]) {
    await missing(of.retrieve ? of.retrieve(none) : of.list(none));
  }
  await missing(client.sessions.debug(none));
  await missing(client.sessions.update(none, { status: "REQUEST_RELEASE" }));
  for (const of of [client.certificates, client.contexts, client.extensions, client.secrets]) await missing(of.delete(none));
  await client.agents.delete(none); // DECISIONS 11
});
await step("agents and runs", async () => {
  const agent = await client.agents.create({ name: "all", systemPrompt: "s", resultSchema: { type: "object" } });
  assert.equal((await client.agents.update(agent.agentId, { name: "every" })).name, "every");
  assert.equal((await client.agents.retrieve(agent.agentId)).name, "every");
  assert.equal((await client.agents.list({ limit: 1, startAt: agent.createdAt, endAt: agent.createdAt })).data.length, 1);
  const run = await client.agents.runs.create({ task: `Go to ${SITE}. Return the title.`, agentId: agent.agentId });
  await until(async () => ["COMPLETED", "FAILED"].includes((await client.agents.runs.retrieve(run.runId)).status));
  assert.equal((await client.agents.runs.list({ agentId: agent.agentId })).data.length, 1);
  assert.ok((await client.agents.runs.listMessages(run.runId, { limit: 100 })).data.length > 0);
  await client.agents.delete(agent.agentId);
});
await step("pages and searching", async () => {
  assert.equal((await client.fetchAPI.create({ url: SITE, format: "markdown" })).statusCode, 200);
  const found = await client.search.web({ query: "lamps", numResults: 25 });
  assert.deepEqual([found.query, found.results.length, found.results[0].url], ["lamps", 20, "https://shop.example/0"]);
  assert.ok(found.requestId.length > 0 && found.results.every((r) => r.id && r.title));
});
await step("certificates, contexts and extensions", async () => {
  const certificate = await client.certificates.create({ file: await toFile(Buffer.from(CA_FILE), "ca.pem") });
  assert.deepEqual(await client.certificates.retrieve(certificate.id), certificate);
  assert.deepEqual(await client.certificates.list(), [certificate]);
  await client.certificates.delete(certificate.id);
  const context = await client.contexts.create({});
  assert.equal((await client.contexts.retrieve(context.id)).id, context.id);
  assert.equal((await client.contexts.update(context.id)).id, context.id);
  await client.contexts.delete(context.id);
  const extension = await client.extensions.create({ file: await file(EXTENSION, "marks.zip") });
  assert.equal((await client.extensions.retrieve(extension.id)).id, extension.id);
  await client.extensions.delete(extension.id);
});
await step("secrets", async () => {
  assert.equal((await client.secrets.getPublicKey()).id, KEYPAIR);
  const value = { keypairId: KEYPAIR, sealedSecretValue: SEALED };
  const secret = await client.secrets.create({ secretKey: "A", ...value });
  assert.equal((await client.secrets.retrieve(secret.id)).secretKey, "A");
  await client.secrets.update(secret.id, value);
  assert.equal((await client.secrets.list({ limit: 1 })).data.length, 1);
  await client.functions.secrets.attach(FUNCTION, { secretId: secret.id });
  assert.equal((await client.functions.secrets.list(FUNCTION)).data.length, 1);
  await client.functions.secrets.detach(FUNCTION, secret.id);
  await client.secrets.delete(secret.id);
});
await step("a session", async () => {
  const session = await client.sessions.create({ keepAlive: true, timeout: 300, userMetadata: { of: "methods" } });
  await client.sessions.uploads.create(session.id, { file: await toFile(Buffer.from("posted"), "posted.txt") });
  const browser = await chromium.connectOverCDP(session.connectUrl);
  await browser.contexts()[0].pages()[0].goto(SITE);
  assert.ok((await client.sessions.debug(session.id, { expiresIn: 60 })).debuggerUrl.startsWith(BASE_URL));
  await until(async () => (await client.sessions.replays.retrieve(session.id)).pageCount === 1);
  await browser.close();
  assert.deepEqual((await client.sessions.list({ status: "RUNNING", q: "user_metadata['of']:'methods'" })).map((s) => s.id), [session.id]);
  await client.sessions.update(session.id, { status: "REQUEST_RELEASE" });
  assert.equal((await client.sessions.retrieve(session.id)).status, "COMPLETED");
  assert.ok((await client.sessions.logs.list(session.id)).length > 0);
  assert.ok((await client.sessions.recording.retrieve(session.id)).length > 0);
  assert.equal((await client.sessions.recording.downloads.create(session.id)).downloads.length, 1);
  assert.equal((await client.sessions.recording.downloads.list(session.id)).downloads.length, 1);
  assert.equal((await client.sessions.downloads.list(session.id)).status, 200);
  await missing(client.sessions.replays.retrievePage(session.id, "0")); // there is no HLS: docs/http.md
});
await step("projects", async () => {
  const [project] = await client.projects.list();
  assert.deepEqual(await client.projects.retrieve(project.id), project);
  assert.ok((await client.projects.usage(project.id)).browserMinutes > 0);
});

const webhooks = "webhooks have a script of their own";
await step("every method", () => covered(methods, Object.fromEntries(["create", "retrieve", "update", "list", "delete", "rotateSecret"].map((m) => [`webhooks.${m}`, webhooks]))));

end();
