// The bytes of Playwright's snapshot for models, of each path of PATHS.
import { chromium } from 'playwright-core';
import { address, site, run } from './steps.mjs';

run([['sizes', async () => {
  const browser = await chromium.connectOverCDP(address);
  const page = browser.contexts()[0].pages()[0];
  for (const path of JSON.parse(process.env.PATHS)) {
    await page.goto(site + path);
    console.log('size ' + JSON.stringify([path, Buffer.byteLength(await page.ariaSnapshot({ mode: 'ai' }))]));
  }
}]]);
