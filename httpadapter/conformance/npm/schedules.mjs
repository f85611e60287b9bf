// The clients of schedules of the job platform's public client, unmodified.
import assert from "node:assert/strict";
import { ApifyClient, ScheduleActions } from "apify-client";
import { step, end, until } from "./steps.mjs";

const { BASE_URL, API_KEY, OTHER_KEY, AGENT_SCHEDULE } = process.env;
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

const echo = await client.actor("~echo").get();
const task = await client.tasks().create({ actId: "~echo", name: "echoes", input: { a: 1, b: 2 } });
const runInput = { body: '{"n":1}', contentType: "application/json; charset=utf-8" };
let made;

await step("create a schedule", async () => {
  made = await client.schedules().create({
    name: "Every-night", title: "Every night", description: "At night.", cronExpression: "0 3 * * *", timezone: "Europe/Prague",
    isEnabled: true, isExclusive: false, notifications: { email: false },
    actions: [
      { type: ScheduleActions.RunActorTask, actorTaskId: task.id, input: { b: 3 } },
      { type: ScheduleActions.RunActor, actorId: echo.id, runInput, runOptions: { memoryMbytes: 256, timeoutSecs: 60, build: "latest" } },
    ],
  });
  assert.match(made.id, short);
  assert.deepEqual([made.name, made.title, made.description, made.cronExpression, made.timezone], ["Every-night", "Every night", "At night.", "0 3 * * *", "Europe/Prague"]);
  assert.deepEqual([made.isEnabled, made.isExclusive, made.notifications, made.lastRunAt], [true, false, { email: false }, null]);
  for (const at of ["createdAt", "modifiedAt", "nextRunAt"]) assert.ok(made[at] instanceof Date, at);
  const [actor, saved] = made.actions; // those of Actors come first
  assert.deepEqual(actor, { id: actor.id, type: "RUN_ACTOR", actorId: echo.id, runInput, runOptions: { memoryMbytes: 256, timeoutSecs: 60, build: "latest" } });
  assert.deepEqual(saved, { id: saved.id, type: "RUN_ACTOR_TASK", actorTaskId: task.id, input: { b: 3 } });
  await refused(client.schedules().create({ name: "EVERY-night" }), 409, "schedule-name-not-unique", /Some other schedule already has this name \("EVERY-night"\)\./);
  await refused(client.schedules().create({ name: "-x-" }), 400, "schema-validation", /name failed regular expression validation/);
  await refused(client.schedules().create({ cronExpression: "61 * * * *" }), 400, "cron-expression-invalid", /Cron expression is not valid: /);
  await refused(client.schedules().create({ actions: [{ type: "RUN_ACTOR", actorId: "none" }] }), 404, "schedule-actor-not-found", /Actor with ID "none" not found/);
});
await step("create schedules that say nothing", async () => {
  const first = await client.schedules().create();
  assert.deepEqual([first.name, first.title, first.cronExpression, first.timezone, first.isEnabled, first.isExclusive, first.nextRunAt, first.actions],
    ["my-schedule", "My Schedule", "@daily", "UTC", false, true, null, []]);
  assert.equal((await client.schedules().create({ name: null })).name, "my-schedule-1");
});
await step("get it, by id and by name", async () => {
  for (const ref of [made.id, "default/every-night", "~every-night"]) assert.deepEqual(await client.schedule(ref).get(), made, ref);
  assert.equal(await client.schedule("none").get(), undefined);
  assert.equal(await stranger.schedule(made.id).get(), undefined);
});
await step("list schedules, page by page", async () => {
  const names = ["with-an-agent", "Every-night", "my-schedule", "my-schedule-1"]; // the host has made the first one
  const page = await client.schedules().list();
  assert.deepEqual([page.items.map((s) => s.name), page.total, page.count, page.limit, page.offset, page.desc], [names, 4, 4, 1000, 0, false]);
  assert.deepEqual(page.items[1].actions, made.actions.map(({ id, type, actorId, actorTaskId }) => (actorId ? { id, type, actorId } : { id, type, actorTaskId })));
  const one = await client.schedules().list({ desc: true, limit: 1, offset: 2 });
  assert.deepEqual([one.items.map((s) => s.name), one.total, one.desc], [["Every-night"], 4, true]);
  const all = [];
  for await (const s of client.schedules().list({ limit: 3 })) all.push(s.name);
  assert.deepEqual(all, names.slice(0, 3));
  assert.equal((await stranger.schedules().list()).total, 0);
});
await step("update it", async () => {
  const u = await client.schedule(made.id).update({ title: "Nachts", cronExpression: "30 4 * * 1-5", description: null });
  assert.deepEqual([u.title, u.cronExpression, u.timezone, u.isEnabled, u.isExclusive, u.description], ["Nachts", "30 4 * * 1-5", "Europe/Prague", true, false, undefined]);
  assert.deepEqual(u.actions, made.actions);
  assert.notDeepEqual(u.nextRunAt, made.nextRunAt);
  const kept = made.actions[1];
  const less = await client.schedule(made.id).update({ actions: [kept, { id: "unknown", type: "RUN_ACTOR", actorId: echo.id }] });
  assert.deepEqual(less.actions[1], kept);
  assert.match(less.actions[0].id, short);
  assert.equal((await client.schedule(made.id).update({ isEnabled: false })).nextRunAt, null);
  await refused(client.schedule(made.id).update({ name: "my-schedule" }), 409, "schedule-name-not-unique", /already has this name/);
  await refused(client.schedule(made.id).update({ isEnabled: "yes" }), 400, "schema-validation", /isEnabled must be/);
  await refused(client.schedule("none").update({}), 404, "record-not-found", /none/);
});
await step("an answer goes back as it came", async () => {
  const was = await client.schedule(made.id).get();
  const is = await client.schedule(made.id).update(was);
  assert.deepEqual({ ...is, modifiedAt: was.modifiedAt }, was);
});
await step("what the client does not know stays", async () => {
  const was = await client.schedule(AGENT_SCHEDULE).get();
  assert.deepEqual([was.actions, was.otherActions.map((a) => a.type)], [[], ["RUN_AGENT"]]);
  const is = await client.schedule(AGENT_SCHEDULE).update({ actions: [{ type: "RUN_ACTOR", actorId: echo.id }] });
  assert.deepEqual([is.actions.length, is.otherActions], [1, was.otherActions]);
});
await step("it fires", async () => {
  const { id, actions } = await client.schedules().create({ name: "often", cronExpression: "*/10 * * * * *", isEnabled: true, actions: [
    { type: "RUN_ACTOR", actorId: echo.id, runInput }, { type: "RUN_ACTOR_TASK", actorTaskId: task.id, input: { b: 3 } },
  ] });
  const log = await until(async () => { const lines = await client.schedule(id).getLog(); return lines.length > 0 && lines; });
  assert.deepEqual([log[0].message, log[0].level, log[0].createdAt instanceof Date], ["Schedule invoked", "INFO", true]);
  const fired = await client.schedule(id).update({ isEnabled: false });
  assert.ok(fired.lastRunAt instanceof Date);
  const first = await client.actor("~echo").runs().list();
  const runs = await Promise.all(first.items.map((r) => client.run(r.id).waitForFinish()));
  assert.deepEqual(runs.slice(0, 2).map((r) => [r.status, r.meta.origin, r.meta.scheduleId, r.meta.scheduledAt instanceof Date]), [["SUCCEEDED", "SCHEDULER", id, true], ["SUCCEEDED", "SCHEDULER", id, true]]);
  const outputs = await Promise.all(runs.slice(0, 2).map(async (r) => (await client.run(r.id).keyValueStore().getRecord("OUTPUT")).value));
  assert.deepEqual(outputs, [{ n: 1 }, { a: 1, b: 3 }]);
  assert.deepEqual([runs[0].meta.scheduledAct2Id, runs[1].meta.scheduledActorTaskId], actions.map((a) => a.id));
  assert.equal(runs[0].meta.scheduledAt.getUTCSeconds() % 10, 0);
});
await step("delete schedules", async () => {
  await client.schedule(made.id).delete();
  assert.equal(await client.schedule(made.id).get(), undefined);
  assert.equal(await client.schedule(made.id).getLog(), undefined);
  await client.schedule(made.id).delete(); // the client takes a 404 for done
});

end();
