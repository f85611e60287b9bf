// The clients of Actors and tasks of the job platform's public client, unmodified:
// what they save, read, change and delete.
import assert from "node:assert/strict";
import { ApifyClient } from "apify-client";
import { step, end } from "./steps.mjs";

const { BASE_URL, API_KEY, OTHER_KEY } = process.env;
const options = { baseUrl: BASE_URL, token: API_KEY, maxRetries: 0 };
const client = new ApifyClient(options);
const stranger = new ApifyClient({ ...options, token: OTHER_KEY });
const short = /^[A-Za-z0-9]{17}$/;

async function refused(call, statusCode, type, message) {
  await assert.rejects(call, (err) => {
    assert.equal(err.name, "ApifyApiError", err.stack);
    assert.deepEqual([err.statusCode, err.type], [statusCode, type], err.message);
    assert.match(err.message, message);
    return true;
  });
}

let actor, task;
const files = [
  { name: "src", folder: true },
  { name: "src/main.js", format: "TEXT", content: "console.log('ü')" },
  { name: "logo.png", format: "BASE64", content: "iVBORw0=" },
];

await step("create an Actor", async () => {
  actor = await client.actors().create({
    name: "My-crawler", title: "Crawler", description: "Crawls.", categories: ["AI"], isPublic: false,
    defaultRunOptions: { build: "beta", memoryMbytes: 2048, timeoutSecs: 0 },
    exampleRunInput: { body: '{"a":1}', contentType: "application/json; charset=utf-8" },
    versions: [{ versionNumber: "0.1", sourceType: "SOURCE_FILES", buildTag: "latest", sourceFiles: files, envVars: [{ name: "A", value: "1" }] }],
  });
  assert.match(actor.id, short);
  assert.deepEqual([actor.name, actor.username, actor.title, actor.isPublic, actor.isDeprecated], ["My-crawler", "default", "Crawler", false, false]);
  assert.ok(actor.createdAt instanceof Date && actor.modifiedAt instanceof Date);
  assert.deepEqual(actor.defaultRunOptions, { build: "beta", memoryMbytes: 2048, timeoutSecs: 0 });
  assert.deepEqual(actor.versions, [{
    versionNumber: "0.1", sourceType: "SOURCE_FILES", buildTag: "latest", applyEnvVarsToBuild: false, sourceFiles: files, envVars: [{ name: "A", value: "1", isSecret: false }],
  }]);
  await refused(client.actors().create({ name: "my-CRAWLER" }), 409, "actor-name-not-unique", /taken/);
  await refused(client.actors().create({ name: "a b" }), 400, "invalid-request", /name must be/);
});
await step("create Actors that say nothing", async () => {
  const first = await client.actors().create();
  assert.deepEqual([first.name, first.defaultRunOptions], ["my-actor", { build: "latest", memoryMbytes: 1024, timeoutSecs: 300 }]);
  assert.equal((await client.actors().create({})).name, "my-actor-1");
});
await step("get it, by id and by name", async () => {
  for (const ref of [actor.id, "default/My-crawler", "default~my-crawler", "~My-crawler"]) assert.deepEqual(await client.actor(ref).get(), actor, ref);
  assert.equal(await client.actor("none").get(), undefined);
  assert.equal(await stranger.actor(actor.id).get(), undefined);
});
await step("list Actors", async () => {
  const page = await client.actors().list({ my: true, sortBy: "createdAt" });
  const host = ["echo", "stuck", "silent", "page", "broken", "panics", "strict"]; // Go Actors are there, too
  const saved = page.items.map((a) => a.name).filter((name) => !host.includes(name));
  assert.deepEqual([saved, page.total, page.count, page.limit], [["My-crawler", "my-actor", "my-actor-1"], 3 + host.length, 3 + host.length, 1000]);
  const last = await client.actors().list({ desc: true, limit: 1, offset: 1 });
  assert.deepEqual([last.items.map((a) => a.name), last.total, last.desc], [["my-actor"], 10, true]);
});
await step("update it", async () => {
  const u = await client.actor(actor.id).update({ title: "Läufer", isDeprecated: true, defaultRunOptions: { memoryMbytes: 512 } });
  assert.deepEqual([u.title, u.description, u.isDeprecated, u.defaultRunOptions], ["Läufer", "Crawls.", true, { build: "beta", memoryMbytes: 512, timeoutSecs: 0 }]);
  assert.deepEqual(u.versions, actor.versions);
  await refused(client.actor(actor.id).update({ name: "my-actor" }), 409, "actor-name-not-unique", /taken/);
  await refused(client.actor(actor.id).update({ defaultRunOptions: { memoryMbytes: 1000 } }), 400, "invalid-request", /power of two/);
  await refused(client.actor(actor.id).update({ defaultRunOptions: { maxItems: 0 } }), 400, "max-items-must-be-greater-than-zero", /maxItems/);
  await refused(client.actor("none").update({}), 404, "record-not-found", /none/);
});
await step("versions", async () => {
  const versions = client.actor(actor.id).versions();
  const made = await versions.create({ versionNumber: "0.2", sourceType: "TARBALL", tarballUrl: "https://example.com/a.tgz", applyEnvVarsToBuild: true });
  assert.deepEqual([made.versionNumber, made.buildTag, made.tarballUrl, made.applyEnvVarsToBuild, made.envVars], ["0.2", "latest", "https://example.com/a.tgz", true, []]);
  await refused(versions.create({ versionNumber: "0.2", sourceType: "SOURCE_FILES", sourceFiles: [] }), 403, "version-already-exists", /0\.2/);
  await refused(versions.create({ versionNumber: "1" }), 400, "invalid-request", /versionNumber/);
  await refused(versions.create({ versionNumber: "0.3", sourceType: "GIT_REPO", gitRepoUrl: "https://example.com/a" }), 400, "invalid-request", /sourceType/);
  const list = await versions.list();
  assert.deepEqual([list.total, list.items.map((v) => v.versionNumber)], [2, ["0.1", "0.2"]]);
  const one = client.actor(actor.id).version("0.1");
  assert.equal((await one.get()).sourceFiles.length, 3);
  const u = await one.update({ buildTag: "beta", sourceFiles: [files[1]] });
  assert.deepEqual([u.buildTag, u.sourceFiles, u.envVars], ["beta", [files[1]], [{ name: "A", value: "1", isSecret: false }]]);
  await refused(one.update({ sourceFiles: [{ name: "../x", format: "TEXT", content: "" }] }), 400, "invalid-request", /below the root/);
  const two = client.actor(actor.id).version("0.2");
  await two.delete();
  assert.equal(await two.get(), undefined);
});
await step("environment variables", async () => {
  const of = client.actor(actor.id).version("0.1");
  const secret = await of.envVars().create({ name: "TOKEN", value: "hidden", isSecret: true });
  assert.deepEqual(secret, { name: "TOKEN", isSecret: true });
  await refused(of.envVars().create({ name: "TOKEN", value: "x" }), 403, "env-var-already-exists", /TOKEN/);
  await refused(of.envVars().create({ name: "1", value: "x" }), 400, "invalid-request", /envVars/);
  assert.deepEqual((await of.envVars().list()).items, [{ name: "A", value: "1", isSecret: false }, { name: "TOKEN", isSecret: true }]);
  assert.deepEqual(await of.envVar("A").update({ name: "A", value: "2" }), { name: "A", value: "2", isSecret: false });
  assert.deepEqual(await of.envVar("TOKEN").update({ name: "TOKEN" }), { name: "TOKEN", isSecret: true });
  await refused(of.envVar("A").update({ name: "B", value: "2" }), 403, "cannot-rename-env-var", /renamed/);
  await refused(of.envVar("TOKEN").update({ isSecret: false }), 400, "invalid-request", /value is required/);
  assert.deepEqual(await of.envVar("A").get(), { name: "A", value: "2", isSecret: false });
  await of.envVar("A").delete();
  assert.equal(await of.envVar("A").get(), undefined);
  assert.equal((await client.actor(actor.id).get()).versions[0].envVars.length, 1);
});

await step("create a task", async () => {
  task = await client.tasks().create({ actId: "default/My-crawler", name: "nightly", title: "Nightly", options: { build: "latest", memoryMbytes: 256 }, input: { a: { b: 1.50 }, c: "x" } });
  assert.match(task.id, short);
  assert.deepEqual([task.actId, task.name, task.username, task.title], [actor.id, "nightly", "default", "Nightly"]);
  assert.deepEqual([task.options, task.input, task.stats, task.isPublic], [{ build: "latest", memoryMbytes: 256 }, { a: { b: 1.50 }, c: "x" }, { totalRuns: 0 }, false]);
  assert.equal((await client.tasks().create({ actId: actor.id })).name, "My-crawler-task");
  await refused(client.tasks().create({ actId: actor.id, name: "NIGHTLY" }), 409, "actor-task-name-not-unique", /taken/);
  await refused(client.tasks().create({ actId: "none" }), 400, "invalid-request", /actId/);
  await refused(client.tasks().create({ name: "x" }), 400, "invalid-request", /actId is required/);
});
await step("get and list tasks", async () => {
  for (const ref of [task.id, "default/nightly", "~nightly"]) assert.deepEqual(await client.task(ref).get(), task, ref);
  assert.equal(await stranger.task(task.id).get(), undefined);
  const page = await client.tasks().list({ desc: true });
  assert.deepEqual(page.items.map((t) => [t.name, t.actName, t.actUsername, t.input]), [["My-crawler-task", "My-crawler", "default", undefined], ["nightly", "My-crawler", "default", undefined]]);
});
await step("update a task", async () => {
  const u = await client.task(task.id).update({ description: "At night.", options: { timeoutSecs: 60 } });
  assert.deepEqual([u.description, u.options, u.input], ["At night.", { build: "latest", memoryMbytes: 256, timeoutSecs: 60 }, task.input]);
  await refused(client.task(task.id).publish(), 400, "invalid-request", /publicConfig/);
  await client.task(task.id).update({ publicConfig: { seoTitle: "At night" } });
  assert.equal((await client.task(task.id).publish()).isPublic, true);
  assert.equal((await client.task(task.id).unpublish()).isPublic, false);
  assert.deepEqual((await client.task(task.id).update({ input: { only: 1 } })).input, { only: 1 });
  await refused(client.task(task.id).update({ input: [] }), 400, "invalid-request", /input must be an object/);
});
await step("the input of a task", async () => {
  assert.deepEqual(await client.task(task.id).getInput(), { only: 1 });
  assert.deepEqual(await client.task(task.id).updateInput({ more: [2] }), { only: 1, more: [2] });
  assert.deepEqual(await client.task(task.id).getInput(), { only: 1, more: [2] });
  await refused(client.task(task.id).updateInput([1]), 400, "invalid-input", /must be an object/);
  assert.equal(await client.task("none").getInput(), undefined);
});
await step("delete a task and an Actor", async () => {
  await client.task("~my-crawler-task").delete();
  assert.equal(await client.task("~my-crawler-task").get(), undefined);
  await client.actor(actor.id).delete();
  assert.equal(await client.actor(actor.id).get(), undefined);
  assert.equal(await client.task(task.id).get(), undefined);
});


await step("call an Actor", async () => {
  const run = await client.actor("default/echo").call({ a: 1 }, { memory: 256, timeout: 60, maxItems: 5, build: "latest", waitSecs: 60 });
  assert.deepEqual([run.status, run.exitCode, run.options.memoryMbytes, run.options.timeoutSecs, run.options.maxItems, run.meta.origin], ["SUCCEEDED", 0, 256, 60, 5, "API"]);
  assert.ok(run.startedAt instanceof Date && run.finishedAt instanceof Date);
  const of = client.run(run.id);
  assert.deepEqual((await of.keyValueStore().getRecord("OUTPUT")).value, { a: 1 });
  assert.deepEqual((await of.dataset().listItems({ clean: true })).items, [{ n: 1 }, { n: 2 }]);
  assert.equal((await of.requestQueue().get()).totalRequestCount, 0);
  assert.match(await of.log().get(), /^\d{4}-\d\d-\d\dT[\d:.]+Z red and\tplain\n[^\n]* second\n/);
  assert.deepEqual(await client.actor("~echo").lastRun({ status: "SUCCEEDED" }).get(), run);
  assert.deepEqual((await client.actor("~echo").lastRun().dataset().listItems({ limit: 1 })).items.length, 1);
  assert.equal(await client.actor("~echo").lastRun({ status: "FAILED" }).get(), undefined);
});
await step("start an Actor and follow it", async () => {
  const started = await client.actor("~stuck").start(undefined, { webhooks: [{ eventTypes: ["ACTOR.RUN.SUCCEEDED"], requestUrl: "https://example.com/" }] });
  assert.ok(["READY", "RUNNING"].includes(started.status));
  const of = client.run(started.id);
  assert.notEqual((await of.waitForFinish({ waitSecs: 1 })).status, "SUCCEEDED");
  assert.equal((await of.update({ statusMessage: "half way" })).statusMessage, "half way");
  const log = await of.log().stream();
  const ended = (async () => { let text = ""; for await (const piece of log) text += piece; return text; })();
  await of.abort({ gracefully: true });
  const run = await of.waitForFinish();
  assert.deepEqual([run.status, (await of.keyValueStore().getRecord("OUTPUT")).value], ["ABORTED", "aborting was heard"]);
  assert.match(await ended, /Z here\n/);
  assert.equal((await of.abort()).status, "ABORTED");
});
await step("metamorph, reboot and resurrect a run", async () => {
  const { id } = await client.actor("~stuck").start();
  const of = client.run(id);
  for (let run = await of.get(); run.status !== "RUNNING"; ) run = await of.waitForFinish({ waitSecs: 1 });
  assert.equal((await of.reboot()).stats.rebootCount, 1);
  await of.metamorph("default/echo", { b: 2 });
  const run = await of.waitForFinish();
  assert.deepEqual([run.status, run.stats.metamorph, (await of.keyValueStore().getRecord("OUTPUT")).value], ["SUCCEEDED", 1, { b: 2 }]);
  // The run stays one of its Actor and build, and says what it has become.
  const [stuck, echo] = [await client.actor("~stuck").get(), await client.actor("~echo").get()];
  assert.deepEqual([run.actId, run.buildId, run.buildNumber], [stuck.id, stuck.taggedBuilds.latest.buildId, "0.0.1"]);
  const [{ createdAt, ...become }, ...more] = run.metamorphs;
  assert.ok(createdAt instanceof Date && more.length === 0);
  assert.deepEqual(become, { actorId: echo.id, buildId: echo.taggedBuilds.latest.buildId, inputKey: "INPUT-METAMORPH-1" });
  await refused(of.reboot(), 403, "job-finished", /SUCCEEDED/);
  await of.resurrect({ memory: 512 });
  const again = await of.waitForFinish();
  assert.deepEqual([again.status, again.stats.resurrectCount, again.options.memoryMbytes], ["SUCCEEDED", 1, 512]);
  await of.delete();
  assert.equal(await of.get(), undefined);
  assert.equal(await of.log().get(), undefined);
});
await step("limits and usage of the user", async () => {
  const user = client.user("me");
  const { limits, current, monthlyUsageCycle } = await user.limits();
  assert.ok(monthlyUsageCycle.startAt instanceof Date && limits.maxActorCount >= current.actorCount && current.actorCount > 0, JSON.stringify(current));
  await user.updateLimits({ maxMonthlyUsageUsd: 300 });
  assert.equal((await user.limits()).limits.maxMonthlyUsageUsd, 300);
  await refused(user.updateLimits({ dataRetentionDays: 90 }), 400, "invalid-request", /dataRetentionDays/);
  const { usageCycle, monthlyServiceUsage, dailyServiceUsages } = await user.monthlyUsage();
  assert.ok(usageCycle.endAt > usageCycle.startAt && monthlyServiceUsage.ACTOR_COMPUTE_UNITS.quantity >= 0 && dailyServiceUsages.length > 0);
  assert.equal((await stranger.user("me").limits()).limits.maxMonthlyUsageUsd, 999999999);
});

await step("call a task", async () => {
  const { id } = await client.tasks().create({ actId: "~echo", name: "echoes", input: { a: 1, b: 2 } });
  const run = await client.task(id).call({ b: 3 });
  assert.deepEqual([run.status, run.actorTaskId], ["SUCCEEDED", id]);
  assert.deepEqual((await client.run(run.id).keyValueStore().getRecord("OUTPUT")).value, { a: 1, b: 3 });
  const other = await client.task(id).start();
  await client.run(other.id).waitForFinish();
  assert.equal((await client.task(id).lastRun().get()).id, other.id);
  const runs = await client.task(id).runs().list({ desc: true });
  assert.deepEqual([runs.total, runs.items.map((r) => r.id)], [2, [other.id, run.id]]);
  assert.equal((await client.runs().list({ status: "ABORTED" })).total, 1);
  await refused(client.task(id).call([1]), 400, "invalid-input", /must be object/);
  await refused(client.task(id).call({}, { build: "beta" }), 403, "unknown-build-tag", /beta/);
  assert.equal(await stranger.run(run.id).get(), undefined);
});

end();
