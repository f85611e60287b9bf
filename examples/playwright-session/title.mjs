import { chromium } from "playwright-core";

const { DROVER_SERVER, DROVER_API_KEY } = process.env;
const answer = await fetch(DROVER_SERVER + "/v1/sessions", { method: "POST", headers: { "X-SVC-API-Key": DROVER_API_KEY } });
const session = await answer.json();

const browser = await chromium.connectOverCDP(session.connectUrl);
const page = browser.contexts()[0].pages()[0]; // the session's first tab
await page.goto(process.argv[2]);
console.log("title:", await page.title());
await browser.close(); // the session ends with its last client
