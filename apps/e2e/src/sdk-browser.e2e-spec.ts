import { execFile } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { startCore } from '@strata/testkit';
import { startBrowser } from '../../../tools/browser/chromium.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const { browser, missing } = await startBrowser();
if (missing) console.warn(`Skipped: ${missing}`);
afterAll(() => browser?.close());

/** Serves an empty page, and the package as it is published. */
async function startPages() {
  const sdk = path.join(root, 'libs/sdk');
  await promisify(execFile)(process.execPath, [path.join(root, 'tools/build-sdk.mjs')], { cwd: sdk });
  const server = http.createServer(({ url = '' }, response) => {
    const file = path.join(sdk, 'dist', path.basename(url));
    if (!url.endsWith('.js')) return void response.setHeader('content-type', 'text/html').end('<p>page</p>');
    response.setHeader('content-type', 'text/javascript').end(fs.readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, close: () => server.close() };
}

(browser ? test : test.skip)('a page follows a configuration live with the TypeScript SDK', async () => {
  const pages = await startPages();
  const core = await startCore({ STRATA_BROWSER_ORIGINS: pages.origin });
  const page = await browser?.newPage();
  try {
    const org = await core.organization();
    const project = await org.project({ name: 'shop' });
    const value = await org.value({ parameter: await org.parameter({ project, name: 'PORT' }), internal_value: '1' });
    const credential = await org.authorization('VIEWER');
    const options = { url: core.origin, credential, project: project.id, environment: 'default', instance: 'tab' };
    await page?.goto(pages.origin);
    const started = await page?.evaluate(`import('/browser.js').then(async ({ connect }) => {
      globalThis.config = await connect(${JSON.stringify(options)});
      return [config.number('PORT'), config.status];
    })`);
    expect(started).toEqual([1, 'live']);
    await org.owner.patch(value.url, { internal_value: '2' });
    await page?.waitForFunction("config.number('PORT') === 2");
    expect(await page?.evaluate('config.status')).toBe('live');
  } finally {
    await page?.close();
    await core.close();
    pages.close();
  }
});
