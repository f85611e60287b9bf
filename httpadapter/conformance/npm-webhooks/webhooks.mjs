// The webhooks of the public client of the hosted service, unmodified, against this one. A
// receiver on loopback gets what is sent, and an independent library verifies it.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import Browserbase from "@browserbasehq/sdk";
import { Webhook } from "standardwebhooks";

const { BASE_URL, API_KEY, GREET, FAIL, SITE } = process.env;
const CANARY = "canary-4711-horse";
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL, maxRetries: 2 });

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

async function fails(call, kind, message) {
  await assert.rejects(call, (err) => {
    assert.ok(err instanceof kind, `${err.constructor.name}: ${err.message}`);
    assert.match(err.message, message);
    return true;
  });
}

// received are all requests so far; answers say what the next ones are answered with.
const received = [], answers = [];
let arrived = () => {};
const receiver = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (part) => (body += part)).on("end", () => {
    received.push({ method: request.method, path: request.url, headers: request.headers, body });
    response.writeHead(answers.shift() ?? 204).end();
    arrived();
  });
});
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const endpoint = `http://127.0.0.1:${receiver.address().port}/hook?from=drover`;

// next waits for a request that was not taken yet, and takes it.
let taken = 0;
async function next() {
  const late = setTimeout(() => { throw new Error(`nothing came after ${taken} requests`); }, 120000);
  while (received.length <= taken) await new Promise((resolve) => (arrived = resolve));
  clearTimeout(late);
  return received[taken++];
}

// event verifies the next request with the secrets that count, newest first, and none of the others.
async function event(type, secrets, others = []) {
  const request = await next();
  assert.equal(request.method, "POST");
  assert.equal(request.path, "/hook?from=drover");
  assert.equal(request.headers["content-type"], "application/json");
  assert.equal(request.headers["webhook-signature"].split(" ").length, secrets.length);
  for (const secret of secrets) {
    const verified = new Webhook(secret).verify(request.body, request.headers);
    assert.deepEqual(verified, JSON.parse(request.body));
  }
  for (const secret of others) assert.throws(() => new Webhook(secret).verify(request.body, request.headers));
  const envelope = JSON.parse(request.body);
  assert.deepEqual(Object.keys(envelope), ["id", "type", "resourceId", "data"]);
  assert.equal(envelope.id, request.headers["webhook-id"]);
  assert.equal(envelope.type, type);
  assert.ok(Math.abs(Date.now() / 1000 - Number(request.headers["webhook-timestamp"])) < 120);
  return envelope;
}

const invoke = (id, params = {}) => client.post(`/v1/functions/${id}/invoke`, { body: { params } });

let hook, secret, former, older;

await step("create", async () => {
  const created = await client.webhooks.create({
    endpoint,
    eventTypes: [
      "functions.invocations.pending", "functions.invocations.running", "functions.invocations.completed", "functions.invocations.failed",
    ],
  });
  ({ secret, ...hook } = created);
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{32,}=*$/);
  assert.deepEqual(Object.keys(hook), ["id", "projectId", "endpoint", "eventTypes", "createdAt", "updatedAt"]);
});
await step("retrieve and list", async () => {
  assert.deepEqual(await client.webhooks.retrieve(hook.id), hook);
  assert.deepEqual(await client.webhooks.list({ limit: 5 }), { data: [hook], limit: 5, nextCursor: null });
});
await step("what is refused", async () => {
  await fails(client.webhooks.create({ endpoint, eventTypes: ["functions.builds.failed"] }), Browserbase.ConflictError, /^409 /);
  await fails(client.webhooks.create({ endpoint: endpoint + "x", eventTypes: ["functions.builds.pending"] }), Browserbase.BadRequestError, /^400 eventTypes /);
  await fails(client.webhooks.create({ endpoint: "https://10.0.0.1/", eventTypes: ["functions.builds.failed"] }), Browserbase.BadRequestError, /^400 endpoint /);
  await fails(client.webhooks.retrieve("0189c5a0-0000-7000-8000-000000000000"), Browserbase.NotFoundError, /^404 /);
});
await step("an invocation that completes", async () => {
  const { id } = await invoke(GREET, { name: "Ada <&> Grace" });
  let last;
  for (const state of ["pending", "running", "completed"]) {
    last = await event(`functions.invocations.${state}`, [secret]);
    assert.equal(last.resourceId, id);
    assert.equal(last.data.status, state.toUpperCase());
  }
  assert.deepEqual(last.data, await client.get(`/v1/functions/invocations/${id}`));
});
await step("an invocation that fails", async () => {
  const { id } = await invoke(FAIL);
  for (const state of ["pending", "running"]) await event(`functions.invocations.${state}`, [secret]);
  const { data } = await event("functions.invocations.failed", [secret]);
  assert.equal(data.cause.code, "WORKLOAD_ERROR");
  assert.deepEqual(data, await client.get(`/v1/functions/invocations/${id}`));
});
await step("update", async () => {
  const eventTypes = ["functions.invocations.completed"];
  const updated = await client.webhooks.update(hook.id, { eventTypes });
  assert.deepEqual(updated, { ...hook, eventTypes, updatedAt: updated.updatedAt });
  hook = updated;
  await invoke(GREET);
  await event("functions.invocations.completed", [secret]);
});
await step("both secrets count after a rotation", async () => {
  former = secret;
  ({ secret } = await client.webhooks.rotateSecret(hook.id));
  assert.notEqual(secret, former);
  await invoke(GREET);
  await event("functions.invocations.completed", [secret, former]);
});
await step("one secret counts after a revocation", async () => {
  older = [former, secret];
  ({ secret } = await client.webhooks.rotateSecret(hook.id, { revokeImmediately: true }));
  await invoke(GREET);
  await event("functions.invocations.completed", [secret], older);
});
await step("the id stays over retries", async () => {
  answers.push(500); // it is sent again after 5 seconds
  await invoke(GREET);
  const first = await event("functions.invocations.completed", [secret]);
  assert.deepEqual(await event("functions.invocations.completed", [secret]), first);
  const { data } = await client.get(`/v1/webhooks/${hook.id}/deliveries?limit=1`);
  assert.equal(data[0].id, first.id);
  assert.equal(data[0].attempts[0].responseStatus, 500);
});
await step("what was sent is sent once more", async () => {
  const { data } = await client.get(`/v1/webhooks/${hook.id}/deliveries?status=SUCCEEDED&limit=1`);
  const again = await client.post(`/v1/webhooks/${hook.id}/deliveries/${data[0].id}/redeliver`);
  assert.equal(again.id, data[0].id);
  assert.equal((await event("functions.invocations.completed", [secret])).id, again.id);
});
await step("a test", async () => {
  const { id } = await client.post(`/v1/webhooks/${hook.id}/test`);
  assert.equal((await event("TEST", [secret])).id, id);
});
await step("a session, without what opens it", async () => {
  await client.webhooks.update(hook.id, { eventTypes: ["sessions.running", "sessions.completed"] });
  const opened = await client.sessions.create({ userMetadata: { order: "7" } });
  const { resourceId, data } = await event("sessions.running", [secret]);
  assert.equal(resourceId, opened.id);
  assert.equal(data.userMetadata.order, "7");
  const { connectUrl, seleniumRemoteUrl, signingKey, replayUrl, ...shown } = await client.sessions.retrieve(opened.id);
  assert.ok(signingKey && connectUrl.includes(signingKey) && replayUrl && seleniumRemoteUrl);
  assert.deepEqual({ ...data, proxyBytes: 0 }, { ...shown, proxyBytes: 0 });
  await client.sessions.update(opened.id, { projectId: opened.projectId, status: "REQUEST_RELEASE" });
  assert.equal((await event("sessions.completed", [secret])).data.status, "COMPLETED");
  assert.ok(!received.some(({ body }) => body.includes(signingKey) || body.includes("viewToken")));
});
await step("an agent's run, without its values", async () => {
  const events = ["pending", "running", "completed"].map((state) => `agents.runs.${state}`);
  await client.webhooks.update(hook.id, { eventTypes: events });
  const { runId } = await client.post("/v1/agents/runs", { body: {
    task: `Go to ${SITE}/form. Type %who% into "Name". Click "Order". Return the order.`,
    resultSchema: { type: "object", properties: { name: { type: "string" }, total: { type: "number" } }, required: ["name", "total"] },
    variables: { who: { value: CANARY } },
  } });
  let last;
  for (const type of events) last = await event(type, [secret]);
  assert.equal(last.resourceId, runId);
  assert.equal(last.data.result.name, "%who%");
  assert.deepEqual(last.data, await client.get(`/v1/agents/runs/${runId}`));
  assert.ok(!received.some(({ body }) => body.includes(CANARY)));
});
await step("delete", async () => {
  await client.webhooks.delete(hook.id);
  await fails(client.webhooks.retrieve(hook.id), Browserbase.NotFoundError, /^404 /);
  assert.equal(received.length, taken);
});

receiver.close();
receiver.closeAllConnections();
console.log(`all ${steps} steps passed`);
