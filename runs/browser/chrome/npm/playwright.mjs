import { existsSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { address, equal, fails, ok, run, site } from './steps.mjs';

let browser, context, page;

// downloaded clicks and follows the download to its end. The file stays with
// the session, whose host hands it out; the client looks for it in a folder of
// its own, where a browser that it has started itself would have put it.
async function downloaded(page, button, name) {
  await page.goto(site + '/save');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
  equal(download.suggestedFilename(), name, 'name');
  equal(await download.failure(), null, 'failure');
  ok(!existsSync(await download.path()), 'a file at path()');
  await fails(download.saveAs('saved.csv'), /ENOENT.*kept by Drover, see GET \/v1\/downloads\?sessionId=[0-9a-f-]{36}/, 'saveAs');
}

run([
  ['connect', async () => {
    browser = await chromium.connectOverCDP(address);
    equal(browser.contexts().length, 1, 'contexts');
    context = browser.contexts()[0];
    equal(context.pages().length, 1, 'pages');
    page = context.pages()[0];
    equal(await page.title(), 'start', 'title of the existing page');
  }],
  ['goto, fill, click', async () => {
    await page.goto(site + '/');
    await page.fill('#name', 'Ada');
    await page.click('#b');
    equal(await page.title(), 'clicked Ada', 'title');
    await page.getByRole('link', { name: 'second' }).click();
    await page.waitForURL('**/second');
    equal(await page.textContent('h1'), 'Second page', 'heading');
  }],
  ['init script', async () => {
    await context.addInitScript(() => { window.early = 'yes'; });
    await page.goto(site + '/second');
    equal(await page.evaluate(() => window.early), 'yes', 'on the page');
  }],
  ['evaluate', async () => {
    equal(await page.evaluate(([a, b]) => Promise.resolve(a + b), [20, 22]), 42, 'sum');
    await page.exposeFunction('double', n => 2 * n);
    equal(await page.evaluate(() => window.double(21)), 42, 'exposed');
  }],
  ['cookies', async () => {
    await context.addCookies([{ name: 'c', value: 'v', url: site }]);
    equal((await context.cookies(site)).find(c => c.name === 'c')?.value, 'v', 'cookie');
    await context.clearCookies();
    equal((await context.cookies(site)).length, 0, 'cookies left');
  }],
  ['screenshot', async () => {
    await page.goto(site + '/big');
    const png = await page.screenshot({ fullPage: true });
    ok(png.length > 100000 && png.subarray(1, 4).toString() === 'PNG', 'a picture of ' + png.length);
  }],
  ['pdf', async () => {
    await page.goto(site + '/second');
    const pdf = await page.pdf();
    equal(pdf.subarray(0, 4).toString(), '%PDF', 'the beginning');
  }],
  ['popup', async () => {
    await page.goto(site + '/popup');
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#open')]);
    await popup.waitForLoadState();
    equal(await popup.title(), 'second', 'title');
    equal(await popup.evaluate(() => window.early), 'yes', 'init script in the popup');
    await popup.close();
  }],
  ['frame of another site', async () => {
    await page.goto(site + '/frames');
    const button = page.frameLocator('#f').locator('#in');
    await button.click();
    equal(await button.textContent(), 'pressed on other.test', 'button');
    equal(await page.frames()[1].evaluate(() => window.early), 'yes', 'init script in the frame');
  }],
  ['worker', async () => {
    const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(site + '/worker')]);
    ok(worker.url().startsWith('blob:'), worker.url());
    await page.waitForFunction(() => document.title === 'worker 42');
  }],
  ['request interception', async () => {
    await page.route('**/made-up', route => route.fulfill({ contentType: 'text/html', body: '<title>made up</title>' }));
    await page.goto(site + '/made-up');
    equal(await page.title(), 'made up', 'title');
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
  ['download', async () => {
    await downloaded(page, '#get', 'table.csv');
    await downloaded(page, '#frame', 'frame.csv');
  }],
  ['download in a context of the client', async () => {
    const accepting = await browser.newContext();
    await downloaded(await accepting.newPage(), '#get', 'table.csv');
    await accepting.close();
    const refusing = await browser.newContext({ acceptDownloads: false });
    const root = await browser.newBrowserCDPSession();
    await root.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
    const ended = new Promise(resolve => root.on('Browser.downloadProgress', p => p.state === 'completed' && resolve()));
    const p = await refusing.newPage();
    await p.goto(site + '/save');
    await p.click('#file');
    await ended; // the client cancels what is under way when it closes a context
    await refusing.close();
    await root.detach();
  }],
  ['upload of content', async () => {
    await page.goto(site + '/upload');
    await page.setInputFiles('#file', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('the notes') });
    await page.waitForFunction(() => document.title !== 'upload');
    equal(await page.title(), 'notes.txt: the notes', 'title');
  }],
  ['upload of a file of the client', async () => {
    writeFileSync('upload.txt', 'on the disk');
    await page.setInputFiles('#file', 'upload.txt'); // it sends the content
    await page.waitForFunction(() => document.title === 'upload.txt: on the disk');
  }],
  ['upload of a file of the session', async () => {
    const session = await context.newCDPSession(page);
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' });
    await session.send('DOM.setFileInputFiles', { nodeId, files: ['/tmp/.uploads/given.txt'] });
    await page.waitForFunction(() => document.title === 'given.txt: handed out');
  }],
  ['file chooser', async () => {
    await page.goto(site + '/chooser');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#pick')]);
    equal(await page.title(), 'chooser', 'title while it is open');
    await chooser.setFiles({ name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('by hand') });
    await page.waitForFunction(() => document.title === 'chosen.txt: by hand');
  }],
  ['uploads in a context of the client', async () => {
    const other = await browser.newContext();
    const p = await other.newPage();
    const shows = title => p.waitForFunction(title => document.title === title, title);
    await p.goto(site + '/upload');
    await p.setInputFiles('#file', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('the notes') });
    await shows('notes.txt: the notes');
    await p.setInputFiles('#file', 'upload.txt');
    await shows('upload.txt: on the disk');
    const session = await other.newCDPSession(p);
    const { root } = await session.send('DOM.getDocument');
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#file' });
    await session.send('DOM.setFileInputFiles', { nodeId, files: ['/tmp/.uploads/given.txt'] });
    await shows('given.txt: handed out');
    await fails(session.send('DOM.setFileInputFiles', { nodeId, files: ['/etc/passwd'] }), /uploaded to this session/, 'a file of the machine');
    await p.goto(site + '/chooser');
    const [chooser] = await Promise.all([p.waitForEvent('filechooser'), p.click('#pick')]);
    await chooser.setFiles('upload.txt');
    await shows('upload.txt: on the disk');
    await other.close();
  }],
  ['permissions', async () => {
    await context.grantPermissions(['geolocation']);
    await page.goto(site + '/second');
    await context.setGeolocation({ latitude: 52.5, longitude: 13.4 });
    const state = () => page.evaluate(() => navigator.permissions.query({ name: 'geolocation' }).then(p => p.state));
    await context.clearPermissions();
    await fails(context.grantPermissions(['geolocation', 'clipboard-read']), /granted are geolocation, and not clipboardReadWrite/, 'the clipboard');
    equal(await state(), 'granted', 'geolocation');
    await context.clearPermissions();
  }],
  ['the middle button', async () => {
    await fails(page.mouse.click(10, 10, { button: 'middle' }), /middle button pastes/, 'a middle click');
  }],
  ['new page', async () => {
    const second = await context.newPage();
    await second.goto(site + '/second');
    equal(await second.title(), 'second', 'title');
    equal(context.pages().length, 2, 'pages');
    await second.close();
  }],
  ['new context', async () => {
    const other = await browser.newContext({ viewport: { width: 500, height: 400 } });
    const p = await other.newPage();
    await p.goto(site + '/second');
    equal(await p.title(), 'second', 'title');
    equal(await p.evaluate(() => innerWidth), 500, 'width');
    await p.evaluate(() => { document.cookie = 'mine=1'; });
    equal((await context.cookies(site)).length, 0, 'cookies of the session');
    const [popup] = await Promise.all([p.waitForEvent('popup'), p.evaluate(() => { window.open('/second'); })]);
    await popup.waitForLoadState();
    equal(await popup.title(), 'second', 'title of its popup');
    await other.close();
    equal(browser.contexts().length, 1, 'contexts');
  }],
  ['new context with a proxy', async () => {
    await fails(browser.newContext({ proxy: { server: 'http://127.0.0.1:1' } }), /proxyServer is refused/, 'a proxy');
  }],
  ['addresses of the machine', async () => {
    for (const url of ['file:///etc/passwd', 'chrome://version', 'view-source:' + site])
      await fails(page.goto(url), /refused/, url);
  }],
  ['a session of the protocol', async () => {
    const page1 = await context.newCDPSession(page);
    ok((await page1.send('Page.getFrameTree')).frameTree.frame.id, 'frame tree');
    await page1.detach();
    const root = await browser.newBrowserCDPSession();
    ok((await root.send('Browser.getVersion')).product, 'version');
    equal((await root.send('Target.getTargets')).targetInfos.filter(t => t.type === 'page').length, 1, 'pages');
    await fails(root.send('Browser.crash'), /refused/, 'crash');
  }],
  ['two at once', async () => {
    const [a, b] = await Promise.all([chromium.connectOverCDP(address), chromium.connectOverCDP(address)]);
    const [p, q] = [await a.contexts()[0].newPage(), await b.contexts()[0].newPage()];
    await Promise.all([p.goto(site + '/second'), q.goto(site + '/popup')]);
    equal(await p.title() + await q.title(), 'secondopener', 'titles');
    const [popup, same] = await Promise.all([
      q.waitForEvent('popup'), a.contexts()[0].waitForEvent('page', x => x.url().includes('popup')), q.click('#open')]);
    await Promise.all([popup.waitForLoadState(), same.waitForLoadState()]);
    equal(await popup.title() + await same.title(), 'secondsecond', 'the popup as both see it');
    await Promise.all([popup.close(), p.close(), q.close()]);
    await Promise.all([a.close(), b.close()]);
  }],
  ['close and connect again', async () => {
    await page.goto(site + '/second');
    await browser.close();
    browser = await chromium.connectOverCDP(address);
    equal(await browser.contexts()[0].pages()[0].title(), 'second', 'title');
    await browser.close();
  }],
]);
