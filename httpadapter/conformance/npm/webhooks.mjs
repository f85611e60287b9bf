// The clients of webhooks of the job platform's public client, unmodified, and a
// receiver that writes down what comes.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { ApifyClient } from "apify-client";
import { step, end, until } from "./steps.mjs";

const { BASE_URL, API_KEY, OTHER_KEY } = process.env;
const options = { baseUrl: BASE_URL, token: API_KEY, maxRetries: 0 };
const client = new ApifyClient(options);
const stranger = new ApifyClient({ ...options, token: OTHER_KEY });
const short = /^[A-Za-z0-9]{17}$/;

const came = [];
const receiver = createServer(async (req, res) => {
  let body = "";
  for await (const piece of req) body += piece;
  came.push({ method: req.method, path: req.url, headers: req.headers, text: body });
  res.statusCode = req.url === "/broken" ? 500 : 200;
  res.end(req.url === "/broken" ? "it is broken" : "thanks");
});
await new Promise((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const here = `http://127.0.0.1:${receiver.address().port}`;
// at returns what has come to a path once there is as much.
const at = (path, count) => until(() => { const all = came.filter((c) => c.path === path); return all.length >= count && all; });
const bodies = async (path, count) => (await at(path, count)).map((c) => JSON.parse(c.text));
const settled = (id) => until(async () => { const d = await client.webhookDispatch(id).get(); return d.status !== "ACTIVE" && d; });

async function refused(call, statusCode, type, message) {
  await assert.rejects(call, (err) => {
    assert.equal(err.name, "ApifyApiError", err.stack);
    assert.deepEqual([err.statusCode, err.type], [statusCode, type], err.message);
    assert.match(err.message, message);
    return true;
  });
}

const me = await client.user("me").get();
const echo = await client.actor("~echo").get();
const task = await client.tasks().create({ actId: "~echo", name: "echoes", input: { a: 1 } });
const runEvents = ["ACTOR.RUN.CREATED", "ACTOR.RUN.SUCCEEDED"];
let made;

await step("create a webhook", async () => {
  assert.equal(me.effectivePlatformFeatures.WEBHOOKS.isEnabled, true);
  made = await client.webhooks().create({ eventTypes: runEvents, condition: { actorId: echo.id }, requestUrl: `${here}/actor`, description: "of echo", ignoreSslErrors: true });
  assert.match(made.id, short);
  const { createdAt, modifiedAt, ...rest } = made;
  assert.ok(createdAt instanceof Date && modifiedAt instanceof Date);
  assert.deepEqual(rest, {
    id: made.id, userId: me.id, isAdHoc: false, eventTypes: runEvents, condition: { actorId: echo.id }, ignoreSslErrors: true, doNotRetry: false, requestUrl: `${here}/actor`,
    shouldInterpolateStrings: false, description: "of echo", lastDispatch: null, stats: { totalDispatches: 0 },
  });
  const create = (more) => client.webhooks().create({ eventTypes: runEvents, condition: { actorId: echo.id }, requestUrl: here, ...more });
  await refused(create({ eventTypes: [] }), 400, "invalid-request", /eventTypes/);
  await refused(create({ eventTypes: ["ACTOR.RUN.GONE"] }), 400, "invalid-request", /eventTypes\[0\]/);
  await refused(create({ requestUrl: "ftp://example.com" }), 400, "invalid-request", /requestUrl/);
  await refused(create({ requestUrl: `${here}/${"x".repeat(500)}` }), 400, "invalid-request", /requestUrl/);
  await refused(create({ requestUrl: "http://10.0.0.1/" }), 400, "invalid-request", /requestUrl.*AllowPrefixes/);
  await refused(create({ payloadTemplate: '{"a": {{secrets}}}' }), 400, "invalid-request", /payloadTemplate.*secrets/);
  await refused(create({ headersTemplate: "[1]" }), 400, "invalid-request", /headersTemplate/);
  await refused(create({ condition: { actorId: "none" } }), 404, "record-not-found", /none/);
  await refused(create({ condition: { actorId: echo.id, actorTaskId: task.id } }), 400, "invalid-request", /condition/);
  await refused(create({ isAdHoc: true }), 400, "invalid-request", /condition/);
  await refused(stranger.webhooks().create({ eventTypes: runEvents, condition: { actorTaskId: task.id }, requestUrl: here }), 404, "record-not-found", /task/);
});
await step("a key makes one webhook", async () => {
  const create = () => client.webhooks().create({ eventTypes: runEvents, condition: { actorTaskId: task.id }, requestUrl: `${here}/task`, idempotencyKey: "once" });
  const first = await create();
  assert.deepEqual(await create(), first);
  assert.deepEqual(first.condition, { actorTaskId: task.id });
});
await step("get, list and update webhooks", async () => {
  assert.deepEqual(await client.webhook(made.id).get(), made);
  assert.equal(await client.webhook("none").get(), undefined);
  assert.equal(await stranger.webhook(made.id).get(), undefined);
  const page = await client.webhooks().list();
  assert.deepEqual([page.total, page.count, page.offset, page.limit, page.desc, page.items[0]], [2, 2, 0, 1000, false, made]);
  assert.deepEqual((await client.webhooks().list({ desc: true, limit: 1 })).items.map((w) => w.condition), [{ actorTaskId: task.id }]);
  assert.deepEqual((await client.actor("~echo").webhooks().list()).items, [made]);
  assert.deepEqual((await client.task(task.id).webhooks().list()).items.map((w) => w.requestUrl), [`${here}/task`]);
  assert.deepEqual((await client.actor("~stuck").webhooks().list()).items, []);
  const changed = await client.webhook(made.id).update({ description: "changed", doNotRetry: true });
  assert.deepEqual({ ...changed, modifiedAt: made.modifiedAt }, { ...made, description: "changed", doNotRetry: true });
  assert.ok(changed.modifiedAt >= made.modifiedAt);
  const back = await client.webhook(made.id).update(changed); // as it came
  assert.deepEqual({ ...back, modifiedAt: changed.modifiedAt }, changed);
  assert.equal((await client.webhook(made.id).update({ description: null })).description, undefined);
  await refused(client.webhook(made.id).update({ isAdHoc: true }), 400, "invalid-request", /isAdHoc cannot be changed/);
  await refused(client.webhook(made.id).update({ requestUrl: "" }), 400, "invalid-request", /requestUrl/);
  await refused(client.webhook(made.id).update({ eventTypes: [] }), 400, "invalid-request", /eventTypes/);
  await refused(client.webhook("none").update({}), 404, "record-not-found", /none/);
});
await step("send a test", async () => {
  const sent = await client.webhook(made.id).test();
  assert.match(sent.id, short);
  assert.deepEqual([sent.status, sent.eventType, sent.webhookId, sent.calls, sent.webhook.requestUrl, sent.webhook.actionType], ["ACTIVE", "TEST", made.id, [], `${here}/actor`, "HTTP_REQUEST"]);
  const [got] = await at("/actor", 1);
  assert.deepEqual([got.method, got.headers["x-apify-webhook-dispatch-id"], JSON.parse(got.text).eventType], ["POST", sent.id, "TEST"]);
  const done = await settled(sent.id);
  const [call, ...more] = done.calls;
  assert.deepEqual([done.status, more.length, call.responseStatus, call.responseBody, call.errorMessage], ["SUCCEEDED", 0, 200, "thanks", null]);
  assert.ok(call.startedAt instanceof Date && call.finishedAt instanceof Date);
  assert.equal(await client.webhook("none").test(), undefined);
});
await step("a run is told of, with the payload that is usual", async () => {
  const run = await client.actor("~echo").call({ a: 1 }, { log: null });
  const [, created, succeeded] = await at("/actor", 3);
  for (const { headers } of [created, succeeded]) {
    assert.match(headers["x-apify-webhook-dispatch-id"], short);
    assert.deepEqual([headers["content-type"], headers["x-apify-request-origin"]], ["application/json", "WEBHOOK"]);
    assert.ok(headers["x-apify-webhook"]);
  }
  const [first, last] = [created, succeeded].map((c) => JSON.parse(c.text));
  assert.deepEqual(Object.keys(last), ["userId", "createdAt", "eventType", "eventData", "resource"]);
  assert.deepEqual([first.eventType, last.eventType], runEvents);
  for (const p of [first, last]) assert.deepEqual([p.userId, p.eventData], [me.id, { actorId: echo.id, actorRunId: run.id }]);
  assert.deepEqual([first.resource.id, first.resource.status, first.resource.startedAt], [run.id, "READY", run.startedAt.toISOString()]);
  assert.deepEqual(last.resource, JSON.parse(JSON.stringify(run))); // what GET answers
  assert.match(last.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const is = await until(async () => { const w = await client.webhook(made.id).get(); return w.lastDispatch.status === "SUCCEEDED" && w; });
  assert.equal(is.stats.totalDispatches, 3);
  assert.ok(is.lastDispatch.finishedAt);
});
await step("a run of a task is told of", async () => {
  const run = await client.task(task.id).call();
  const all = await bodies("/task", 2);
  assert.deepEqual(all.map((p) => p.eventType), runEvents);
  assert.deepEqual(all[1].eventData, { actorId: echo.id, actorTaskId: task.id, actorRunId: run.id });
  await at("/actor", 5); // it is one of the Actor, too
});
await step("templates make payloads and headers", async () => {
  const hook = await client.webhooks().create({
    eventTypes: ["ACTOR.RUN.SUCCEEDED"], condition: { actorId: (await client.actor("~silent").get()).id }, requestUrl: `${here}/templates`, shouldInterpolateStrings: true,
    payloadTemplate: '{"run": {{resource.id}}, "text": "{{eventType}} of {{eventData.actorId}}", "all": {{eventData}}, "none": {{resource.nothing}}, "unix": {{globals.dateUnix}}}',
    headersTemplate: '{"X-Run": "run {{resource.id}}", "Authorization": "Bearer mine", "X-Apify-Webhook-Dispatch-Id": "forged"}',
  });
  const run = await client.actor("~silent").call(undefined, { log: null });
  const [got] = await at("/templates", 1);
  const { unix, ...body } = JSON.parse(got.text);
  assert.deepEqual(body, { run: run.id, text: `ACTOR.RUN.SUCCEEDED of ${run.actId}`, all: { actorId: run.actId, actorRunId: run.id }, none: null });
  assert.ok(Math.abs(unix - Date.now() / 1000) < 300);
  const { items: [sent] } = await client.webhook(hook.id).dispatches().list();
  assert.deepEqual([got.headers["x-run"], got.headers.authorization, got.headers["x-apify-webhook-dispatch-id"]], [`run ${run.id}`, "Bearer mine", sent.id]);
});
await step("start runs with webhooks of their own", async () => {
  const webhooks = [{ eventTypes: runEvents, requestUrl: `${here}/own`, idempotencyKey: "own" }];
  const run = await client.actor("~echo").call(undefined, { webhooks, log: null });
  const all = await bodies("/own", 2);
  assert.deepEqual(all.map((p) => [p.eventType, p.eventData.actorRunId]), runEvents.map((e) => [e, run.id]));
  await client.actor("~echo").call(undefined, { webhooks, log: null }); // the key has been used
  const viaTask = await client.task(task.id).call(undefined, { webhooks: [{ eventTypes: ["ACTOR.RUN.SUCCEEDED"], requestUrl: `${here}/own-task` }] });
  assert.deepEqual((await bodies("/own-task", 1))[0].resource.id, viaTask.id);
  assert.equal((await at("/own", 2)).length, 2);
  assert.ok((await client.webhooks().list()).items.every((w) => !w.isAdHoc));
  const sent = (await client.webhookDispatches().list({ limit: 1000 })).items.find((d) => d.webhook.requestUrl === `${here}/own`);
  assert.deepEqual([sent.webhook.isAdHoc, sent.webhook.condition], [true, { actorRunId: run.id }]);
  await refused(client.actor("~echo").start(undefined, { webhooks: [{ eventTypes: ["X"], requestUrl: here }] }), 400, "invalid-request", /webhooks\[0\]\.eventTypes\[0\]/);
});
await step("an abort and a resurrection are told of", async () => {
  const webhooks = [{ eventTypes: ["ACTOR.RUN.ABORTED", "ACTOR.RUN.RESURRECTED", "ACTOR.RUN.SUCCEEDED"], requestUrl: `${here}/life` }];
  const { id } = await client.actor("~stuck").start(undefined, { webhooks });
  const run = client.run(id);
  for (let r = await run.get(); r.status !== "RUNNING"; ) r = await run.waitForFinish({ waitSecs: 1 });
  await run.abort();
  await run.waitForFinish();
  await run.resurrect();
  await run.abort();
  await run.waitForFinish();
  assert.deepEqual((await bodies("/life", 3)).map((p) => [p.eventType, p.resource.status]), [["ACTOR.RUN.ABORTED", "ABORTED"], ["ACTOR.RUN.RESURRECTED", "READY"], ["ACTOR.RUN.ABORTED", "ABORTED"]]);
});
await step("who asks late is told of the end", async () => {
  const run = await client.actor("~broken").call(undefined, { log: null });
  const late = (eventTypes, path) => client.webhooks().create({ isAdHoc: true, condition: { actorRunId: run.id }, eventTypes, requestUrl: here + path, idempotencyKey: path });
  const hook = await late(["ACTOR.RUN.CREATED", "ACTOR.RUN.FAILED"], "/late");
  await late(["ACTOR.RUN.CREATED", "ACTOR.RUN.FAILED"], "/late"); // again, which makes no other
  const other = await late(["ACTOR.RUN.CREATED", "ACTOR.RUN.SUCCEEDED"], "/too-late");
  const [told] = await bodies("/late", 1);
  assert.deepEqual([hook.isAdHoc, told.eventType, told.resource.status, told.resource.id], [true, "ACTOR.RUN.FAILED", "FAILED", run.id]);
  assert.equal((await client.webhook(hook.id).dispatches().list()).total, 1);
  assert.equal((await client.webhook(other.id).dispatches().list()).total, 0);
});
await step("read what was sent, page by page, and send it again", async () => {
  const broken = await client.webhooks().create({ eventTypes: runEvents, condition: { actorTaskId: task.id }, requestUrl: `${here}/broken`, doNotRetry: true });
  await client.task(task.id).call();
  await at("/broken", 2);
  const list = await until(async () => { const l = await client.webhook(broken.id).dispatches().list({ desc: true }); return l.items.every((d) => d.status === "FAILED") && l; });
  assert.deepEqual([list.total, list.items.map((d) => d.eventType)], [2, runEvents.toReversed()]);
  const [{ responseStatus, responseBody, errorMessage }] = list.items[0].calls;
  assert.deepEqual([responseStatus, responseBody], [500, "it is broken"]);
  assert.match(errorMessage, /500/);
  const all = await client.webhookDispatches().list();
  const newest = await client.webhookDispatches().list({ desc: true, limit: 1 });
  assert.deepEqual(newest.items, [all.items.at(-1)]);
  const plain = (d) => JSON.parse(JSON.stringify(d)); // in a list the client leaves some dates texts
  assert.deepEqual(plain(await client.webhookDispatch(list.items[0].id).get()), plain(list.items[0]));
  assert.equal(await client.webhookDispatch("none").get(), undefined);
  assert.equal(await stranger.webhookDispatch(list.items[0].id).get(), undefined);
  assert.equal((await stranger.webhookDispatches().list()).total, 0);
  // An addition, which the client has no call for.
  await client.webhook(broken.id).update({ requestUrl: `${here}/mended` });
  const again = () => fetch(`${BASE_URL}/v2/webhook-dispatches/${list.items[0].id}/redeliver`, { method: "POST", headers: { authorization: `Bearer ${API_KEY}` } });
  const answer = await again();
  assert.deepEqual([answer.status, (await answer.json()).data.status], [200, "ACTIVE"]);
  const [mended] = await at("/mended", 1);
  assert.equal(mended.headers["x-apify-webhook-dispatch-id"], list.items[0].id);
  const done = await settled(list.items[0].id);
  assert.deepEqual([done.status, done.calls.map((c) => c.responseStatus)], ["SUCCEEDED", [500, 200]]);
});
await step("delete webhooks", async () => {
  await client.webhook(made.id).delete();
  assert.equal(await client.webhook(made.id).get(), undefined);
  assert.equal((await client.actor("~echo").webhooks().list()).total, 0);
  await client.webhook(made.id).delete(); // the client takes a 404 for done
  const seen = came.filter((c) => c.path === "/actor").length;
  await client.actor("~echo").call(undefined, { log: null, webhooks: [{ eventTypes: ["ACTOR.RUN.SUCCEEDED"], requestUrl: `${here}/after` }] });
  await at("/after", 1);
  assert.equal(came.filter((c) => c.path === "/actor").length, seen);
});
await step("there are not more than there may be", async () => {
  const create = () => client.webhooks().create({ eventTypes: runEvents, condition: { actorTaskId: task.id }, requestUrl: here });
  for (let { total } = await client.webhooks().list(); total < 10; total++) await create();
  await refused(create(), 403, "too-many-webhooks", /10 webhooks/);
});

receiver.close();
end();
