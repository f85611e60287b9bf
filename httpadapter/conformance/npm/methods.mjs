// Every method of every class of the job platform's public client, unmodified, with all
// the options that it has. What the methods do in detail is in the other scripts.
import assert from "node:assert/strict";
import * as exported from "apify-client";
import { step, end, until } from "./steps.mjs";
import { watch, covered } from "./calls.mjs";

const { BASE_URL, API_KEY } = process.env;
const classes = Object.fromEntries(Object.entries(exported).filter(([name]) => /Client$/.test(name)));
const methods = watch(classes);
const client = new exported.ApifyClient({ baseUrl: BASE_URL, publicBaseUrl: BASE_URL, token: API_KEY, maxRetries: 0 });
const isDate = (d) => assert.ok(d instanceof Date && !Number.isNaN(d.getTime()), String(d));
const none = "0".repeat(17);

async function all(iterable) {
  const found = [];
  for await (const one of iterable) found.push(one);
  return found;
}
const ids = (items) => items.map((i) => i.id);

await step("what is not there is undefined", async () => {
  for (const of of [
    client.actor(none), client.task(none), client.build(none), client.run(none), client.schedule(none), client.dataset(none), client.keyValueStore(none), client.requestQueue(none),
    client.actor("nobody/nothing"), client.task("nobody/nothing"), client.log(none), client.actor(none).version("0.1"), client.actor(none).version("0.1").envVar("A"),
    client.actor(none).lastRun(), client.task(none).lastRun(), client.user("nobody"),
  ]) {
    assert.equal(await of.get(), undefined, of.url);
  }
  await assert.rejects(client.log(none).stream(), (err) => err.statusCode === 404); // the client reads no error of a stream
  assert.equal(await client.build(none).log().get(), undefined);
  assert.equal(await client.schedule(none).getLog(), undefined);
  assert.equal(await client.task(none).getInput(), undefined);
  assert.equal(await client.dataset(none).getStatistics(), undefined);
  assert.equal(await client.requestQueue(none).getRequest("r"), undefined);
  assert.equal(await client.keyValueStore(none).getRecord("k"), undefined);
  assert.equal(await client.keyValueStore(none).recordExists("k"), false);
  for (const of of [client.actor(none), client.task(none), client.build(none), client.run(none), client.schedule(none), client.dataset(none), client.keyValueStore(none), client.requestQueue(none)]) {
    await of.delete(); // a 404 is as good
  }
  for (const store of ["dataset", "keyValueStore", "requestQueue"]) {
    assert.equal(await client.run(none)[store]().get(), undefined);
    assert.equal(await client.actor("~silent").lastRun({ status: "FAILED", origin: "API" })[store]().get(), undefined);
  }
});

let actor, task, run;
await step("Actors, versions and variables", async () => {
  actor = await client.actors().create({
    name: "all-methods", title: "All", description: "d", seoTitle: "s", seoDescription: "sd", categories: ["AI"], isPublic: false, isDeprecated: false, restartOnError: true,
    defaultRunOptions: { build: "latest", timeoutSecs: 60, memoryMbytes: 256, restartOnError: false, maxItems: 5 }, exampleRunInput: { body: "{}", contentType: "application/json" },
    actorStandby: { isEnabled: false, desiredRequestsPerActorRun: 1 }, actorPermissionLevel: "LIMITED_PERMISSIONS", taggedBuilds: {},
    versions: [{ versionNumber: "0.1", sourceType: "SOURCE_FILES", buildTag: "latest", envVars: [{ name: "A", value: "1", isSecret: false }], sourceFiles: [{ name: "main.js", format: "TEXT", content: "console.log(1)" }] }],
  });
  isDate(actor.createdAt);
  const of = client.actor(actor.id);
  assert.deepEqual(await of.get(), actor);
  assert.equal((await of.update({ title: "Every", isPublic: true })).title, "Every");
  assert.equal((await client.actor("default/all-methods").get()).id, actor.id);
  assert.ok(ids((await client.actors().list({ my: true, limit: 1000, offset: 0, desc: true, sortBy: "createdAt" })).items).includes(actor.id));
  assert.ok(ids(await all(client.actors().list({ limit: 100 }))).includes(actor.id));
  assert.ok(ids((await client.store().list({ limit: 10, offset: 0, search: "every", sortBy: "newest", category: "AI", username: "default", pricingModel: "FREE" })).items).includes(actor.id));
  assert.ok((await all(client.store().list())).some((a) => a.name === "echo" && a.stats.totalRuns === 0 && a.currentPricingInfo.pricingModel === "FREE"));
  assert.equal((await of.versions().list()).items.length, 1);
  const made = await of.versions().create({ versionNumber: "0.2", sourceType: "TARBALL", tarballUrl: "https://example.com/a.zip", buildTag: "beta", applyEnvVarsToBuild: true });
  assert.deepEqual([made.sourceType, made.tarballUrl, made.buildTag], ["TARBALL", "https://example.com/a.zip", "beta"]);
  assert.equal((await of.version("0.2").update({ buildTag: "next" })).buildTag, "next");
  assert.equal((await of.version("0.2").get()).versionNumber, "0.2");
  await of.version("0.2").delete();
  const env = of.version("0.1").envVars();
  assert.equal((await env.create({ name: "B", value: "2", isSecret: true })).name, "B");
  assert.deepEqual((await env.list()).items.map((e) => [e.name, e.value]), [["A", "1"], ["B", undefined]]);
  assert.equal((await of.version("0.1").envVar("A").update({ name: "A", value: "3" })).value, "3");
  assert.equal((await of.version("0.1").envVar("A").get()).value, "3");
  await of.version("0.1").envVar("B").delete();
});
await step("builds", async () => {
  const of = client.actor(actor.id);
  const build = await of.build("0.1", { betaPackages: true, tag: "latest", useCache: true, waitForFinish: 60 });
  assert.equal(build.status, "SUCCEEDED");
  assert.deepEqual(await client.build(build.id).get({ waitForFinish: 0 }), build);
  assert.equal((await (await of.defaultBuild({ waitForFinish: 1 })).get()).id, build.id);
  assert.deepEqual(ids((await of.builds().list({ limit: 0, offset: 0, desc: false })).items), [build.id]);
  assert.deepEqual(ids(await all(client.builds().list({ limit: 1, desc: true }))), [build.id]);
  assert.equal((await client.build(build.id).waitForFinish({ waitSecs: 0 })).id, build.id);
  assert.match(await client.build(build.id).log().get({ raw: true }), /Building/);
  assert.equal((await client.build(build.id).getOpenApiDefinition()).openapi, "3.0.1");
  assert.equal((await client.build(build.id).abort()).status, "SUCCEEDED");
  assert.equal(await of.validateInput({ a: 1 }, { build: "latest", contentType: "application/json" }), true);
  assert.equal(await of.validateInput(), true);
});
await step("runs of an Actor", async () => {
  const of = client.actor("~echo");
  const options = { build: "latest", contentType: "application/json; charset=utf-8", memory: 256, timeout: 60, maxItems: 5, maxTotalChargeUsd: 1.5, restartOnError: false };
  run = await of.start('{"a":1}', { ...options, waitForFinish: 60, webhooks: [{ eventTypes: ["ACTOR.RUN.SUCCEEDED"], requestUrl: "http://127.0.0.1:9/", doNotRetry: true }] });
  assert.equal(run.status, "SUCCEEDED");
  assert.deepEqual([run.options.memoryMbytes, run.options.timeoutSecs, run.options.maxItems, run.options.maxTotalChargeUsd, run.options.restartOnError], [256, 60, 5, 1.5, false]);
  for (const d of [run.startedAt, run.finishedAt]) isDate(d);
  assert.equal((await of.start({}, { forcePermissionLevel: "FULL_PERMISSIONS", waitForFinish: 60 })).status, "SUCCEEDED");
  await assert.rejects(of.start({}, { forcePermissionLevel: "FULL_PERMISSIONS", build: "none" }), (err) => err.type === "unknown-build-tag");
  const called = await of.call(Buffer.from("bytes"), { memory: 128, contentType: "application/octet-stream", waitSecs: 60, log: null });
  assert.deepEqual((await client.keyValueStore(called.defaultKeyValueStoreId).getRecord("OUTPUT")).value, Buffer.from("bytes"));
  assert.equal((await of.call(undefined, { waitSecs: 0, log: null })).actId, run.actId);
  assert.equal((await of.call({ text: "ü".repeat(5000) }, { log: null })).status, "SUCCEEDED"); // compressed
  assert.ok(ids((await of.runs().list({ limit: 2, offset: 0, desc: true, status: "SUCCEEDED", startedAfter: run.startedAt, startedBefore: new Date() })).items).length === 2);
  assert.ok(ids(await all(client.runs().list({ status: ["SUCCEEDED", "FAILED"], limit: 3 }))).includes(run.id));
  assert.equal((await of.lastRun({ status: "SUCCEEDED", origin: "API" }).get()).actId, run.actId);
});
await step("a run", async () => {
  const of = client.run(run.id);
  assert.deepEqual(await of.get({ waitForFinish: 999999 }), run);
  assert.deepEqual(await of.waitForFinish({ waitSecs: 999999 }), run);
  assert.equal((await of.update({ statusMessage: "looked at", isStatusMessageTerminal: true, generalAccess: "FOLLOW_USER_SETTING" })).statusMessage, "looked at");
  assert.equal((await of.abort({ gracefully: false })).status, "SUCCEEDED");
  assert.deepEqual((await of.dataset().listItems({ limit: 1 })).items, [{ n: 1 }]);
  assert.deepEqual((await of.keyValueStore().getRecord("OUTPUT")).value, { a: 1 });
  assert.equal((await of.requestQueue().listHead({ limit: 0 })).items.length, 0);
  assert.match(await of.log().get(), /red and/);
  assert.match(await client.log(run.id).get({ raw: false }), /^\d{4}-.* red and/);
  const going = client.run((await client.actor("~stuck").start({ go: true })).id);
  assert.ok(!["SUCCEEDED", "FAILED"].includes((await going.waitForFinish({ waitSecs: 0 })).status));
  await until(async () => (await going.get()).status === "RUNNING");
  const lines = [];
  const log = await going.getStreamedLog({ toLog: { info: (line) => lines.push(line), warning() {}, error() {}, debug() {}, internal() {} }, fromStart: true });
  log.start();
  await until(() => lines.some((line) => line.includes("here")));
  await going.charge({ eventName: "item", count: 2, idempotencyKey: "one" });
  await going.reboot();
  await going.metamorph("default/echo", { b: 1 }, { contentType: "application/json", build: "latest" });
  assert.equal((await going.waitForFinish()).status, "SUCCEEDED");
  await log.stop();
  await going.resurrect({ build: "latest", memory: 256, timeout: 60, maxItems: 1, maxTotalChargeUsd: 1, restartOnError: true });
  const risen = await going.waitForFinish();
  assert.deepEqual([risen.status, risen.options.maxItems, risen.options.restartOnError], ["SUCCEEDED", 1, true]);
  await going.delete();
  assert.equal(await going.get(), undefined);
});
await step("tasks", async () => {
  task = await client.tasks().create({
    actId: "default/echo", name: "all-methods-task", title: "T", description: "d", input: { a: 1 },
    options: { build: "latest", memoryMbytes: 256, timeoutSecs: 60, restartOnError: false, maxItems: 2 }, actorStandby: { desiredRequestsPerActorRun: 1 },
  });
  const of = client.task("default/all-methods-task");
  assert.deepEqual(await of.get(), task);
  assert.equal((await of.update({ title: "T2", options: { memoryMbytes: 512 } })).options.memoryMbytes, 512);
  await assert.rejects(of.publish(), (err) => err.statusCode === 400 && /publicConfig/.test(err.message));
  const publicConfig = { seoTitle: "s", seoDescription: "d", categorization: null, inputSchemaFields: ["a"], datasetName: null, datasetView: null };
  assert.deepEqual((await of.update({ publicConfig })).publicConfig, { ...publicConfig, publishedAt: null });
  const published = await of.publish();
  assert.equal(published.isPublic, true);
  isDate(published.publicConfig.publishedAt);
  assert.deepEqual((await of.publish()).publicConfig, published.publicConfig); // again, it does nothing
  assert.deepEqual((await of.unpublish()).publicConfig, { ...publicConfig, publishedAt: null });
  assert.deepEqual(await of.updateInput({ b: 2 }), { a: 1, b: 2 });
  assert.deepEqual(await of.getInput(), { a: 1, b: 2 });
  assert.deepEqual(ids(await all(client.tasks().list({ limit: 1, desc: true, offset: 0 }))), [task.id]);
  const started = await of.start({ c: 3 }, { build: "latest", memory: 128, timeout: 30, waitForFinish: 60, maxItems: 1, maxTotalChargeUsd: 2, restartOnError: true });
  assert.deepEqual([started.status, started.actorTaskId, started.options.memoryMbytes], ["SUCCEEDED", task.id, 128]);
  const called = await of.call(undefined, { waitSecs: 60 });
  assert.deepEqual((await client.task(task.id).lastRun({ status: "SUCCEEDED", origin: "API" }).keyValueStore().getRecord("OUTPUT")).value, { a: 1, b: 2 });
  assert.deepEqual(ids((await of.runs().list({ desc: true, limit: 1 })).items), [called.id]);
  await of.delete();
});
await step("schedules", async () => {
  const made = await client.schedules().create({ name: "all-methods", isEnabled: false, isExclusive: true, cronExpression: "0 0 * * *", timezone: "UTC", description: "d", title: "t", actions: [] });
  const of = client.schedule(made.id);
  assert.deepEqual(await of.get(), made);
  assert.equal((await of.update({ ...made, cronExpression: "1 1 * * *" })).cronExpression, "1 1 * * *");
  assert.ok(Array.isArray(await of.getLog()));
  assert.deepEqual(ids(await all(client.schedules().list({ limit: 5, offset: 0, desc: true }))), [made.id]);
  await of.delete();
});
await step("datasets", async () => {
  const { id } = await client.datasets().getOrCreate("all-methods", { schema: {} });
  const of = client.dataset(id);
  assert.equal((await of.update({ title: "t", generalAccess: "ANYONE_WITH_ID_CAN_READ" })).generalAccess, "ANYONE_WITH_ID_CAN_READ");
  await of.pushItems(Array.from({ length: 5 }, (_, n) => ({ n, a: { b: n }, "#h": 1, list: [1, 2] })));
  const options = { clean: true, desc: true, flatten: ["a"], fields: ["n", "a.b"], omit: ["list"], skipEmpty: true, skipHidden: true, unwind: ["list"], limit: 2, offset: 1, signature: undefined };
  assert.deepEqual((await of.listItems(options)).items, [{ n: 3, "a.b": 3 }, { n: 3, "a.b": 3 }, { n: 2, "a.b": 2 }, { n: 2, "a.b": 2 }]);
  for (const format of ["json", "jsonl", "xml", "html", "csv", "xlsx", "rss"]) {
    const file = await of.downloadItems(format, { ...options, attachment: true, bom: true, delimiter: ";", skipHeaderRow: true, xmlRoot: "r", xmlRow: "i" });
    assert.ok(Buffer.isBuffer(file) && file.length > 0, format);
  }
  assert.equal((await (await fetch(await of.createItemsPublicUrl({ limit: 0, expiresInSecs: 60 }))).json()).length, 5);
  assert.equal((await (await fetch(await of.createItemsPublicUrl())).json()).length, 5);
  assert.ok((await of.getStatistics()).fieldStatistics);
  assert.equal((await all(of.listItems({ limit: 0 }))).length, 5);
  assert.ok(ids(await all(client.datasets().list({ unnamed: true, limit: 100, offset: 0, desc: true }))).includes(id));
  await of.delete();
});
await step("key-value stores", async () => {
  const { id } = await client.keyValueStores().getOrCreate("all-methods", { schema: {} });
  const of = client.keyValueStore(id);
  assert.equal((await of.update({ title: "t", generalAccess: "RESTRICTED" })).title, "t");
  await of.setRecord({ key: "a", value: [1] }, { timeoutSecs: 5, doNotRetryTimeouts: true });
  await of.setRecord({ key: "b", value: "x", contentType: "text/css" });
  assert.deepEqual((await of.getRecord("a", { buffer: true })).value, Buffer.from("[\n  1\n]"));
  assert.equal((await all((await of.getRecord("b", { stream: true })).value)).join(""), "x");
  assert.equal(await of.recordExists("b"), true);
  assert.deepEqual((await of.listKeys({ limit: 1, exclusiveStartKey: "a", prefix: "b" })).items.map((k) => k.key), ["b"]);
  assert.equal((await all(of.listKeys({ limit: 0 }))).length, 2);
  assert.equal(await (await fetch(await of.getRecordPublicUrl("b"))).text(), "x");
  assert.equal((await (await fetch(await of.createKeysPublicUrl({ prefix: "a", expiresInSecs: 10 }))).json()).data.count, 1);
  await of.deleteRecord("a");
  assert.ok(ids(await all(client.keyValueStores().list({ unnamed: false, limit: 100 }))).includes(id));
  await of.delete();
});
await step("request queues", async () => {
  const { id } = await client.requestQueues().getOrCreate("all-methods");
  const of = client.requestQueue(id, { clientKey: "all-methods", timeoutSecs: 30 });
  assert.equal((await of.update({ title: "t", name: "every-method" })).name, "every-method");
  const first = await of.addRequest({ url: "https://a.example/", uniqueKey: "first", method: "POST", payload: "p", headers: { x: "y" }, userData: { z: 1 }, noRetry: true }, { forefront: true });
  assert.deepEqual([first.wasAlreadyPresent, first.wasAlreadyHandled], [false, false]);
  const many = Array.from({ length: 130 }, (_, n) => ({ url: `https://a.example/${n}`, uniqueKey: `k${n}`, userData: { text: "ü".repeat(500) } }));
  const added = await of.batchAddRequests(many, { forefront: false, maxParallel: 3, maxUnprocessedRequestsRetries: 1, minDelayBetweenUnprocessedRequestsRetriesMillis: 1 });
  assert.deepEqual([added.processedRequests.length, added.unprocessedRequests.length], [130, 0]);
  assert.equal((await of.getRequest(first.requestId)).payload, "p");
  assert.equal((await of.updateRequest({ ...(await of.getRequest(first.requestId)), retryCount: 1, errorMessages: ["e"] }, { forefront: true })).wasAlreadyPresent, true);
  assert.equal((await of.listHead({ limit: 2 })).items[0].id, first.requestId);
  const head = await of.listAndLockHead({ lockSecs: 60, limit: 2 });
  assert.equal(head.items.length, 2);
  isDate(head.items[0].lockExpiresAt);
  isDate((await of.prolongRequestLock(first.requestId, { lockSecs: 120, forefront: true })).lockExpiresAt);
  assert.equal((await of.listRequests({ filter: ["locked"], limit: 10 })).items.length, 2);
  await of.deleteRequestLock(first.requestId, { forefront: true });
  assert.equal((await of.unlockRequests()).unlockedCount, 1);
  assert.equal((await of.listRequests({ limit: 3, exclusiveStartId: first.requestId })).items.length, 3);
  const pages = await all(of.paginateRequests({ limit: 100, maxPageLimit: 40 }));
  assert.deepEqual(pages.map((p) => p.items.length), [40, 40, 20]);
  assert.equal((await all(of.listRequests({ limit: 0, filter: ["pending"] }))).length, 131);
  const gone = await of.batchDeleteRequests([{ id: first.requestId }, { uniqueKey: "k1" }]);
  assert.deepEqual([gone.processedRequests.length, gone.unprocessedRequests.length], [2, 0]);
  await of.deleteRequest(added.processedRequests[0].requestId);
  assert.equal((await of.get()).totalRequestCount, 128);
  assert.ok(ids(await all(client.requestQueues().list({ unnamed: true, desc: false }))).includes(id));
  await of.delete();
});
await step("users", async () => {
  const me = client.user();
  assert.equal((await me.get()).username, "default");
  assert.ok((await me.limits()).limits.maxActorCount > 0);
  await me.updateLimits({ maxMonthlyUsageUsd: 10 });
  isDate((await me.monthlyUsage()).usageCycle.startAt);
});
await step("and status messages", () => client.setStatusMessage("x").then(() => assert.fail("there is no run"), () => {}));

const webhooks = "webhooks have a script of their own";
await step("every method", () => covered(methods, {
  "ActorClient.webhooks": webhooks, "TaskClient.webhooks": webhooks, "ApifyClient.webhooks": webhooks, "ApifyClient.webhook": webhooks, "ApifyClient.webhookDispatches": webhooks, "ApifyClient.webhookDispatch": webhooks,
  "WebhookClient.get": webhooks, "WebhookClient.update": webhooks, "WebhookClient.delete": webhooks, "WebhookClient.test": webhooks, "WebhookClient.dispatches": webhooks,
  "WebhookCollectionClient.list": webhooks, "WebhookCollectionClient.create": webhooks, "WebhookDispatchClient.get": webhooks, "WebhookDispatchCollectionClient.list": webhooks,
}));

end();
