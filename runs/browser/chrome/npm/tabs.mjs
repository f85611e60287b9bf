// Tabs that a client opens, one after the other. The first page of each is
// numbered, so that the test can look for it in what the session has observed.
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { address, equal, run, site } from './steps.mjs';

const count = Number(process.env.COUNT ?? 5);
const playwright = process.env.CLIENT === 'playwright';

let browser, own;

// clients connect, open contexts, wait for popups and go back in ways of their own.
const connect = () => playwright ? chromium.connectOverCDP(address) : puppeteer.connect({ browserWSEndpoint: address });
const contexts = () => playwright ? browser.contexts() : browser.browserContexts();
const newContext = () => playwright ? browser.newContext() : browser.createBrowserContext();
const popup = page => new Promise(done => page.once('popup', done));
const shows = async (page, title) => { while (await page.title() !== title) await new Promise(later => setTimeout(later, 10)); };

async function each(name, context) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    const page = await context.newPage();
    await page.goto(`${site}/second?${name}=${i}`);
    times.push(performance.now() - begun);
    equal(await page.title(), 'second', 'title');
    await page.close();
  }
  times.sort((a, b) => a - b);
  process.on('exit', () => console.log(`${name}: newPage and goto p50 ${times[count >> 1].toFixed(1)} ms, worst ${times[count - 1].toFixed(1)} ms`));
}

run([
  ['connect', async () => {
    browser = await connect();
    own = contexts()[0];
  }],
  ['tabs', () => each('tab', own)],
  ['tabs of a context of the client', async () => {
    const other = await newContext();
    await each('guest', other);
    await other.close();
  }],
  ['back and forward', async () => {
    const page = await own.newPage();
    await page.goto(`${site}/`);
    await page.goto(`${site}/second`);
    await page.goBack();
    equal(await page.title(), 'start', 'title after going back');
    await page.goForward();
    equal(await page.title(), 'second', 'title after going forward');
    await page.close();
  }],
  ['popups', async () => {
    const page = (await own.pages())[0];
    for (let i = 0; i < count; i++) {
      const [opened] = await Promise.all([popup(page), page.evaluate(url => { window.open(url); }, `${site}/second?popup=${i}`)]);
      await shows(opened, 'second');
      await opened.close();
    }
  }],
  // Puppeteer never sees the end of such a popup's beginning, in a browser of its own neither.
  ['popups without an opener, in a context of the client', async () => {
    if (!playwright) return;
    const other = await newContext();
    const page = await other.newPage();
    await page.goto(`${site}/second`);
    for (let i = 0; i < count; i++) {
      await page.setContent(`<a id=a target=_blank rel=noopener href="${site}/second?blank=${i}">open</a>`);
      await page.click('#a');
    }
    while ((await other.pages()).length < 1 + count) await new Promise(later => setTimeout(later, 10));
    for (const p of await other.pages()) if (p !== page) await shows(p, 'second');
    await other.close();
  }],
]);
