import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { address, equal, ok, run, site } from './steps.mjs';

// check looks for what a trace must have, and must not.
function check(trace, what) {
  const text = Buffer.from(trace).toString();
  ok(JSON.parse(text).traceEvents.length > 10, what + ': events');
  ok(!text.includes('--user-data-dir') && !text.includes(process.env.FOLDER), what + ': a path of the machine');
}

run([
  ['playwright', async () => {
    const browser = await chromium.connectOverCDP(address);
    const page = browser.contexts()[0].pages()[0];
    await browser.startTracing(page, { screenshots: true });
    await page.goto(site + '/second');
    check(await browser.stopTracing(), 'startTracing');
    await browser.contexts()[0].grantPermissions(['geolocation', 'clipboard-read']);
    await browser.close();
  }],
  ['puppeteer', async () => {
    const browser = await puppeteer.connect({ browserWSEndpoint: address, defaultViewport: null });
    const [page] = await browser.pages();
    await page.tracing.start({ screenshots: true });
    await page.goto(site + '/');
    check(await page.tracing.stop(), 'tracing');
    equal(await page.title(), 'start', 'title');
    await browser.disconnect();
  }],
]);
