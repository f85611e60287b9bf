// The public client of the hosted service, unmodified, against this one. Every
// step asserts what it gets; the last line says how many there were.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import Browserbase from "@browserbasehq/sdk";

const { BASE_URL, API_KEY, SITE, SESSION } = process.env;
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL });
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const resultSchema = { type: "object", properties: { title: { type: "string" } } };

let steps = 0;
async function step(name, what) {
  try {
    await what();
  } catch (err) {
    console.error(`step "${name}" failed`);
    throw err;
  }
  steps++;
}

// fails asserts that a call rejects with an error class of the client.
async function fails(call, kind, message) {
  await assert.rejects(call, (err) => {
    assert.ok(err instanceof kind, `${err.constructor.name}: ${err.message}`);
    assert.equal(err.error.statusCode, err.status);
    assert.match(err.message, message);
    return true;
  });
}

let agent, run;

await step("create an agent", async () => {
  agent = await client.agents.create({ name: "Läufer", systemPrompt: "Be brief.", resultSchema });
  assert.match(agent.agentId, uuid);
  assert.match(agent.createdAt, stamp);
  assert.deepEqual(agent.resultSchema, resultSchema);
});
await step("retrieve it", async () => assert.deepEqual(await client.agents.retrieve(agent.agentId), agent));
await step("update it", async () => {
  const changed = await client.agents.update(agent.agentId, { name: "Runner" });
  assert.equal(changed.name, "Runner");
  assert.equal(changed.systemPrompt, "Be brief.");
});
await step("update nothing", async () => assert.equal((await client.agents.update(agent.agentId)).name, "Runner"));
await step("page through the list", async () => {
  await client.agents.create({ name: "second" });
  const names = [];
  let cursor = null; // the client writes it as "cursor="
  do {
    const page = await client.agents.list({ limit: 1, cursor });
    assert.equal(page.limit, 1);
    names.push(...page.data.map((a) => a.name));
    cursor = page.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(names, ["second", "Runner"]);
});
await step("list within bounds", async () => {
  const page = await client.agents.list({ startAt: agent.createdAt, endAt: agent.createdAt });
  assert.ok(page.data.some((a) => a.agentId === agent.agentId));
});
await step("be told what is wrong", () => fails(client.agents.create({ name: "" }), Browserbase.BadRequestError, /^400 name must be/));

await step("create a run", async () => {
  run = await client.agents.runs.create({
    task: "type %who% into \"Name\"", agentId: agent.agentId, resultSchema,
    browserSettings: { proxies: false, verified: false }, variables: { who: { value: "Ada", description: "your name" } },
  });
  assert.match(run.runId, uuid);
  assert.equal(run.status, "PENDING");
  assert.equal(run.agentId, agent.agentId);
});
await step("retrieve the run", async () => assert.deepEqual(await client.agents.runs.retrieve(run.runId), run));
await step("list the runs", async () => {
  const page = await client.agents.runs.list({ status: "PENDING", agentId: agent.agentId });
  assert.deepEqual(page.data, [run]);
  assert.equal(page.nextCursor, null);
});
await step("list its messages", async () => {
  assert.deepEqual(await client.agents.runs.listMessages(run.runId, { limit: 5 }), { data: [], nextSince: null });
  assert.deepEqual(await client.agents.runs.listMessages(run.runId, { all: true, since: null }), { data: [], nextSince: null });
});
await step("stop it", async () => {
  const stopped = await client.post(`/v1/agents/runs/${run.runId}/stop`);
  assert.equal(stopped.runId, run.runId);
  assert.equal((await client.agents.runs.retrieve(run.runId)).status, "STOPPED");
});
await step("stop it again", () =>
  fails(client.post(`/v1/agents/runs/${run.runId}/stop`), Browserbase.ConflictError, /^409 the run has already ended/));

await step("fetch a page", async () => {
  const page = await client.fetchAPI.create({ url: `${SITE}/text` });
  assert.equal(page.content, "plain *text*\n");
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers["content-type"], "text/plain; charset=utf-8");
  assert.equal(page.encoding, "utf-8");
});
await step("fetch a page as markdown", async () => {
  const page = await client.fetchAPI.create({ url: `${SITE}/moved`, format: "markdown", allowRedirects: true });
  assert.match(page.content, /^# Three legs\n/);
});
await step("fetch a page as JSON", async () => {
  const schema = { type: "object", properties: { name: { type: "string" }, price: { type: "number" }, colour: { type: "string" } }, required: ["colour"] };
  const page = await client.fetchAPI.create({ url: `${SITE}/product`, format: "json", schema });
  assert.deepEqual(page.content, { name: "Hocker", price: 64 });
  assert.deepEqual(page.unsatisfied, ["/colour"]);
});
await step("fetch what is refused", async () => {
  const call = client.fetchAPI.create({ url: "http://10.0.0.1/" });
  await fails(call, Browserbase.BadRequestError, /^400 10\.0\.0\.1 is refused/);
  await call.catch((err) => assert.match(err.error.id, uuid));
});

let files;
const bytes = async (response) => Buffer.from(await response.arrayBuffer());

await step("list downloads", async () => {
  const page = await client.get("/v1/downloads", { query: { sessionId: SESSION, limit: 2 } });
  assert.equal(page.total, 4);
  assert.deepEqual([page.limit, page.offset], [2, 0]);
  files = page.downloads;
  assert.deepEqual(files.map((f) => f.filename), ["report.csv", "page.html"]);
  assert.match(files[0].id, uuid);
  assert.match(files[0].createdAt, stamp);
  assert.equal(files[1].mimeType, "text/html");
});
await step("retrieve one", async () => assert.deepEqual(await client.get(`/v1/downloads/${files[1].id}`), files[1]));
await step("read its content", async () => {
  const headers = { Accept: "application/octet-stream" };
  const response = await client.get(`/v1/downloads/${files[1].id}`, { headers, __binaryResponse: true });
  const content = await bytes(response);
  assert.equal(response.headers.get("content-type"), "application/octet-stream");
  assert.equal(content.length, files[1].size);
  assert.equal(createHash("sha256").update(content).digest("hex"), files[1].checksum);
});
await step("read all of a session", async () => {
  const response = await client.sessions.downloads.list(SESSION);
  const zip = await bytes(response);
  assert.equal(response.headers.get("content-type"), "application/zip");
  assert.equal(zip.readUInt16LE(zip.length - 12), 4); // files, says the end of the directory
  assert.match(zip.toString("latin1"), /page-\d{13}\.html/);
});
await step("delete a download", async () => {
  await client.delete(`/v1/downloads/${files[1].id}`);
  await fails(client.get(`/v1/downloads/${files[1].id}`), Browserbase.NotFoundError, /^404 there is no download/);
});
await step("delete all of a session", async () => {
  await client.delete(`/v1/sessions/${SESSION}/downloads`);
  assert.equal((await bytes(await client.sessions.downloads.list(SESSION))).length, 22);
});

await step("delete the agent", async () => {
  await client.agents.delete(agent.agentId);
  await client.agents.delete(agent.agentId);
  await fails(client.agents.retrieve(agent.agentId), Browserbase.NotFoundError, /^404 there is no agent/);
});
await step("come with the wrong key", () =>
  fails(new Browserbase({ apiKey: "wrong", baseURL: BASE_URL }).agents.list(), Browserbase.AuthenticationError, /^401 the API key is not valid/));
await step("come with both keys", async () => {
  const both = new Browserbase({ apiKey: "wrong", baseURL: BASE_URL, defaultHeaders: { "X-SVC-API-Key": API_KEY } });
  assert.equal((await both.agents.list()).data.length, 1);
});
await step("ask many times on the same connections", async () => {
  const pages = await Promise.all(Array.from({ length: 100 }, () => client.agents.list()));
  assert.ok(pages.every((p) => p.data.length === 1));
});

console.log(`all ${steps} steps passed`);
