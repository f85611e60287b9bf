// The public automation library, unmodified, on a session of this service. It
// asks no model and no service of its maker.
import assert from "node:assert/strict";
import { Stagehand } from "@browserbasehq/stagehand";

const { CONNECT_URL, SITE } = process.env;
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
console.log("all steps passed");
process.exit(0);
