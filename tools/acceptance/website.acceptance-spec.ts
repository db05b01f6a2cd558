import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startBrowser } from '../browser/chromium.mjs';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
};
const website = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-website-'));
const { browser, missing } = await startBrowser();
if (missing) console.warn(`Skipped: ${missing}`);

const server = http.createServer(({ url = '' }, response) => {
  const file = path.join(website, new URL(url, 'http://website').pathname);
  if (!fs.existsSync(file)) return void response.writeHead(404).end();
  response.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream');
  response.end(fs.readFileSync(file));
});

beforeAll(async () => {
  if (!browser) return;
  const build = path.join(import.meta.dirname, '../docs/build.mjs');
  execFileSync(process.execPath, [build, '--output', website], { stdio: 'pipe' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await browser?.close();
  server.close();
  fs.rmSync(website, { recursive: true, force: true });
});

(browser ? test : test.skip).each([
  ['offline cache', 'Use the TypeScript SDK'],
  ['sizing', 'Size an installation'],
  ['comparison', 'Comparison with other products'],
])('the search of the website for "%s" shows "%s" first', async (query, title) => {
  const page = await browser?.newPage();
  await page?.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`);
  await page?.getByPlaceholder('Search').fill(query);
  const first = page?.locator('#search .pagefind-ui__result-title').first();
  await first?.waitFor();
  expect((await first?.textContent())?.trim()).toBe(title);
  await page?.close();
});
