import { writeFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { address, equal, fails, ok, run, site } from './steps.mjs';

const connect = () => puppeteer.connect({ browserWSEndpoint: address, defaultViewport: null });
let browser, page;

// downloaded clicks and follows the download to its end.
async function downloaded(session, page, path, button, name) {
  await page.goto(site + path);
  const begun = new Promise(resolve => session.once('Browser.downloadWillBegin', resolve));
  const ended = new Promise(resolve => session.on('Browser.downloadProgress', p => p.state !== 'inProgress' && resolve(p)));
  await page.click(button);
  equal((await begun).suggestedFilename, name, 'name');
  const { guid, state, filePath } = await ended;
  equal(guid, (await begun).guid, 'guid');
  equal(state, 'completed', 'state');
  equal(filePath, undefined, 'path of the machine');
  session.removeAllListeners('Browser.downloadProgress');
}

run([
  ['connect', async () => {
    browser = await connect();
    equal(browser.browserContexts().length, 1, 'contexts');
    const pages = await browser.pages();
    equal(pages.length, 1, 'pages');
    page = pages[0];
    equal(await page.title(), 'start', 'title of the existing page');
    equal(browser.targets().filter(t => t.type() === 'page').length, 1, 'page targets');
  }],
  ['goto, type, click', async () => {
    await page.goto(site + '/');
    await page.type('#name', 'Ada');
    await page.click('#b');
    equal(await page.title(), 'clicked Ada', 'title');
    await Promise.all([page.waitForNavigation(), page.click('a')]);
    equal(await page.$eval('h1', e => e.textContent), 'Second page', 'heading');
  }],
  ['evaluate', async () => {
    equal(await page.evaluate((a, b) => Promise.resolve(a + b), 20, 22), 42, 'sum');
    await page.exposeFunction('double', n => 2 * n);
    equal(await page.evaluate(() => window.double(21)), 42, 'exposed');
    await page.evaluateOnNewDocument(() => { window.early = 'yes'; });
    await page.goto(site + '/second');
    equal(await page.evaluate(() => window.early), 'yes', 'new document');
  }],
  ['cookies', async () => {
    await browser.setCookie({ name: 'c', value: 'v', domain: 'main.test', path: '/' });
    equal((await browser.cookies()).find(c => c.name === 'c')?.value, 'v', 'cookie');
    await browser.deleteCookie({ name: 'c', domain: 'main.test', path: '/', value: 'v' });
  }],
  ['screenshot', async () => {
    await page.goto(site + '/big');
    const png = await page.screenshot({ fullPage: true });
    ok(png.length > 100000, 'a picture of ' + png.length);
  }],
  ['pdf', async () => {
    await page.goto(site + '/second');
    const pdf = await page.pdf(); // as a stream
    equal(Buffer.from(pdf.subarray(0, 4)).toString(), '%PDF', 'the beginning');
  }],
  ['popup', async () => {
    await page.goto(site + '/popup');
    const [popup] = await Promise.all([new Promise(resolve => page.once('popup', resolve)), page.click('#open')]);
    await popup.waitForFunction(() => document.title === 'second');
    await popup.close();
  }],
  ['frame of another site', async () => {
    await page.goto(site + '/frames');
    const frame = await page.waitForFrame(f => f.url().includes('/inner'));
    await (await frame.waitForSelector('#in')).click();
    equal(await frame.$eval('#in', e => e.textContent), 'pressed on other.test', 'button');
  }],
  ['worker', async () => {
    await page.goto(site + '/worker');
    await page.waitForFunction(() => document.title === 'worker 42');
  }],
  ['request interception', async () => {
    await page.setRequestInterception(true);
    const answer = r => r.url().endsWith('made-up') ? r.respond({ contentType: 'text/html', body: '<title>made up</title>' }) : r.continue();
    page.on('request', answer);
    await page.goto(site + '/made-up');
    equal(await page.title(), 'made up', 'title');
    page.off('request', answer);
    await page.setRequestInterception(false);
  }],
  ['dialog', async () => {
    await page.goto(site + '/dialog');
    const seen = [];
    page.on('dialog', d => { seen.push(d.message()); return d.type() === 'prompt' ? d.accept('Ann') : d.dismiss(); });
    for (let i = 0; i < 5; i++) {
      await page.click('#d');
      equal(await page.title(), 'confirmed false', 'a confirmation that is dismissed');
      await page.click('#p');
      equal(await page.title(), 'called Ann', 'a prompt');
    }
    equal([...new Set(seen)].join(), 'sure?,name?', 'dialogs');
  }],
  ['upload of a file of the machine', async () => {
    await page.goto(site + '/upload');
    const input = await page.$('#file');
    await fails(input.uploadFile('/etc/hostname'), /files must be those that were uploaded to this session/, 'a path');
  }],
  ['upload of a file of the session', async () => {
    const input = await page.$('#file');
    await input.uploadFile('/tmp/.uploads/given.txt');
    await page.waitForFunction(() => document.title === 'given.txt: handed out');
    await input.uploadFile('given.txt');
  }],
  ['file chooser', async () => {
    await page.goto(site + '/chooser');
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('#pick')]);
    equal(await page.title(), 'chooser', 'title while it is open');
    await chooser.accept(['/tmp/.uploads/given.txt']);
    await page.waitForFunction(() => document.title === 'given.txt: handed out');
  }],
  ['download to a folder of the client', async () => {
    const session = await browser.target().createCDPSession();
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: process.env.FOLDER, eventsEnabled: true });
    await downloaded(session, page, '/save', '#get', 'table.csv');
    await session.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
    await downloaded(session, page, '/save', '#frame', 'frame.csv');
    await session.detach();
  }],
  ['download in a context of the client', async () => {
    const session = await browser.target().createCDPSession();
    const other = await browser.createBrowserContext({ downloadBehavior: { policy: 'allow', downloadPath: process.env.FOLDER } });
    await session.send('Browser.setDownloadBehavior', { behavior: 'default', eventsEnabled: true });
    const p = await other.newPage();
    await downloaded(session, p, '/save', '#get', 'table.csv');
    await downloaded(session, p, '/save', '#frame', 'frame.csv');
    await p.click('#file');
    await other.close(); // which waits for it
  }],
  ['new page and window', async () => {
    const second = await browser.newPage();
    await second.goto(site + '/second');
    equal(await second.title(), 'second', 'title');
    await second.setViewport({ width: 500, height: 400 });
    equal(await second.evaluate(() => innerWidth), 500, 'width');
    await second.close();
  }],
  ['new context', async () => {
    const other = await browser.createBrowserContext();
    const p = await other.newPage();
    await p.goto(site + '/second');
    equal(await p.title(), 'second', 'title');
    await other.close();
    equal(browser.browserContexts().length, 1, 'contexts');
    await fails(browser.createBrowserContext({ proxyServer: 'direct://' }), /proxyServer is refused/, 'a proxy');
  }],
  ['addresses of the machine', async () => {
    for (const url of ['file:///etc/passwd', 'chrome://version', 'devtools://devtools/bundled/inspector.html'])
      await fails(page.goto(url), /refused/, url);
  }],
  ['two at once', async () => {
    const other = await connect();
    const [p, q] = [await browser.newPage(), await other.newPage()];
    await Promise.all([p.goto(site + '/second'), q.goto(site + '/popup')]);
    equal(await p.title() + await q.title(), 'secondopener', 'titles');
    await Promise.all([p.close(), q.close()]);
    await other.disconnect();
  }],
  ['close and connect again', async () => {
    await page.goto(site + '/second');
    await browser.close();
    browser = await connect();
    equal(await (await browser.pages())[0].title(), 'second', 'title');
    await browser.disconnect();
  }],
]);
