// npm run bench -- --console: measures what a browser with an empty cache loads until each page of the console is
// usable and live, and how fast a large matrix and searches respond.
import pg from 'pg';
import { showPlatform } from '../console/shown-platform.mjs';
import { measureSearches, renderSearches } from './console-search.mjs';
import { measureInteractions, renderInteractions } from './interactions.mjs';
import { plantSearched, SEARCHED_PARAMETERS } from './search-project.mjs';

/** The pages: name, address, and the text that shows that the page is usable. */
const PAGES = [
  ['sign-in', '/sign-in', (page) => page.getByLabel('Password')],
  ['projects', '/projects', (page) => page.getByRole('main').getByRole('link', { name: 'postgresql' })],
  ['matrix', '/projects/postgresql', (page) => page.getByRole('rowheader').first()],
  [
    'explain',
    '/projects/postgresql?cell=max_connections&in=canary',
    (page) => page.getByRole('complementary').getByRole('heading', { name: 'History' }),
  ],
  ['history', '/history', (page) => page.getByText('Larger buffers everywhere')],
  ['changeset', '/history/5', (page) => page.getByRole('region', { name: 'Changed objects' })],
  ['parameter', '/projects/postgresql/history/max_connections', (page) => page.getByText('becomes').first()],
  ['new project', '/start', (page) => page.getByRole('button', { name: 'Load sample platform' })],
  ['account', '/account', (page) => page.getByRole('heading', { name: 'Where you are signed in' })],
];
/**
 * The maximum size of scripts and page in the encoding that this browser receives. Fonts are not included, because text
 * is readable without them.
 */
export const FIRST_LOAD_KB_MAX = 150;
/** Requests gzip, like browsers and proxies that do not support brotli. */
const GZIP_ONLY = { extraHTTPHeaders: { 'accept-encoding': 'gzip' } };
/**
 * Finds the status of the live updates. They load in parallel with the page and may connect before or after the page is
 * usable.
 */
const live = (page) => page.getByRole('status').filter({ hasText: /^Live/ });
/** The time after which a page no longer changes. */
const SETTLED_MS = 1_000;

/** Measures the pages, the interactions with a large matrix, and searches. It has no targets that could fail. */
export async function measureConsole(stage, say) {
  const shown = await showPlatform(stage, say);
  const database = new pg.Client({ connectionString: stage.postgres.url() });
  await database.connect();
  try {
    const pages = await measurePages(shown, say);
    say(`Planting ${SEARCHED_PARAMETERS.toLocaleString('en')} parameters …`);
    await plantSearched(database);
    const searches = await measureSearches(shown, database, say);
    return { pages, searches, interactions: await measureInteractions(shown, say) };
  } finally {
    await database.end();
    await shown.browser.close();
  }
}

/** Opens every page in a browser with an empty cache and returns the bytes that it loads. */
async function measurePages({ browser, origin, storageState }, say) {
  const rows = [];
  for (const [name, address, usable] of PAGES) {
    say(`Opening ${name} …`);
    const isInside = name !== 'sign-in';
    const settings = { baseURL: origin, storageState: isInside ? storageState : undefined };
    const isReady = async (page) => {
      await usable(page).waitFor();
      if (isInside) await live(page).waitFor();
    };
    const asSent = await measurePage(browser, settings, address, isReady);
    const { code: gzip } = await measurePage(browser, { ...settings, ...GZIP_ONLY }, address, isReady);
    rows.push({ name, ...asSent, gzip });
  }
  return rows;
}

async function measurePage(browser, settings, address, isReady) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...settings });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const kinds = new Map();
  const bytes = { code: 0, fonts: 0, data: 0 };
  let files = 0;
  let requests = 0;
  session.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const part = transferKind(kinds.get(requestId));
    requests += 1;
    if (part === 'code') files += 1;
    bytes[part] += encodedDataLength;
  });
  await page.addInitScript(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const started = performance.now();
  await page.goto(address);
  await isReady(page);
  const visit = { requests, files, milliseconds: performance.now() - started, ...bytes };
  await page.waitForTimeout(SETTLED_MS);
  const shift = await page.evaluate(() => globalThis.shifted);
  await context.close();
  return { ...visit, shift };
}

function transferKind(kind) {
  if (kind === 'Font') return 'fonts';
  return kind === 'Fetch' || kind === 'XHR' ? 'data' : 'code';
}

const kilobytes = (bytes) => (bytes / 1_000).toFixed(1);

export function renderConsole({ pages, searches, interactions }) {
  return [renderPages(pages), renderSearches(searches), renderInteractions(interactions)].join('\n\n');
}

function renderPages(rows) {
  const head = ['page', 'requests', 'of code', 'code kB', 'by gzip kB', 'data kB', 'fonts kB', 'ms', 'layout shift'];
  const cells = rows.map(({ name, requests, files, code, gzip, data, fonts, milliseconds, shift }) => [
    name,
    String(requests),
    String(files),
    kilobytes(code),
    kilobytes(gzip),
    kilobytes(data),
    kilobytes(fonts),
    milliseconds.toFixed(0),
    shift.toFixed(4),
  ]);
  const widths = head.map((_, at) => Math.max(...[head, ...cells].map((row) => row[at].length)));
  const line = (row) =>
    row.map((text, at) => (at === 0 ? text.padEnd(widths[at]) : text.padStart(widths[at]))).join('   ');
  const most = Math.max(...rows.map(({ code }) => code)) / 1_000;
  const verdict = most <= FIRST_LOAD_KB_MAX ? 'met' : 'missed';
  return [
    'The console until a page can be used and is live, by a browser that has nothing yet (brotli; no network between)',
    '',
    line(head),
    ...cells.map(line),
    '',
    `Aim: code of any page ≤ ${FIRST_LOAD_KB_MAX} kB: ${most.toFixed(1)} kB, ${verdict}.`,
  ].join('\n');
}
