// The public client of the hosted service, unmodified: certificates. The last
// line says how many steps there were.
import assert from "node:assert/strict";
import Browserbase, { toFile } from "@browserbasehq/sdk";

const { BASE_URL, API_KEY, CA_FILE, CLIENT_FILE } = process.env;
const client = new Browserbase({ apiKey: API_KEY, baseURL: BASE_URL });
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const stamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

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

let ca;
await step("upload an authority", async () => {
  ca = await client.certificates.create({ file: await toFile(Buffer.from(CA_FILE), "ca.pem") });
  assert.match(ca.id, uuid);
  assert.match(ca.projectId, uuid);
  assert.match(ca.createdAt, stamp);
  assert.match(ca.updatedAt, stamp);
  assert.equal(ca.kind, "ca");
});
await step("upload a client's", async () => {
  const other = await client.certificates.create({ file: await toFile(Buffer.from(CLIENT_FILE), "alice.pem") });
  assert.equal(other.kind, "client");
  assert.deepEqual((await client.certificates.list()).map((c) => c.id), [other.id, ca.id]);
});
await step("retrieve one", async () => assert.deepEqual(await client.certificates.retrieve(ca.id), ca));
await step("upload what is none", () =>
  assert.rejects(async () => client.certificates.create({ file: await toFile(Buffer.from("hello"), "a.txt") }), (err) => {
    assert.ok(err instanceof Browserbase.BadRequestError);
    assert.match(err.message, /^400 file is malformed/);
    return true;
  }));
await step("delete one", async () => {
  await client.certificates.delete(ca.id);
  await assert.rejects(client.certificates.retrieve(ca.id), Browserbase.NotFoundError);
});

console.log(`all ${steps} steps passed`);
