// The public automation library, unmodified, on a session of this service. It
// asks no model, and no other server at all: no name is looked up.
import assert from "node:assert/strict";
import dns from "node:dns";

const { CONNECT_URL, SITE } = process.env;
const asked = [];
const { lookup } = dns;
dns.lookup = (name, ...rest) => {
  asked.push(name);
  return lookup(name, ...rest);
};
await fetch("http://localhost:49151/").catch(() => {});
assert.deepEqual(asked.splice(0), ["localhost"], "what is looked up is not seen");

const { Stagehand } = await import("@browserbasehq/stagehand");
const stagehand = new Stagehand({ env: "LOCAL", verbose: 0, disablePino: true, localBrowserLaunchOptions: { cdpUrl: CONNECT_URL } });
await stagehand.init();
const page = stagehand.context.pages()[0];
await page.goto(SITE + "/");
assert.equal(await page.title(), "Start");
assert.equal(await page.evaluate(() => 6 * 7), 42);
await page.locator("#name").fill("Ada");
await page.locator("#greet").click();
assert.equal(await page.locator("#greeting").textContent(), "Hello Ada");
await stagehand.close();
assert.deepEqual(asked, []);
console.log("all steps passed");
process.exit(0);
