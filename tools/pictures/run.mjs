// npm run pictures: takes the screenshots in docs/pictures/ of a running console with the sample platform, in both
// themes. Each picture is one row.
import fs from 'node:fs';
import path from 'node:path';
import { onEnd } from '../../libs/processes/src/lifetime.mjs';
import { ensure, root } from '../ensure.mjs';

const FOLDER = path.join(root, 'docs', 'pictures');
/** The maximum size of all pictures together, so that a README with pictures opens fast. */
const BYTES_MAX = 300_000;
const QUALITY = 40;
const SIZE = { width: 1180, height: 740 };
const THEMES = ['light', 'dark'];

const cell = (page, name, column) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) })
    .locator(`[data-column="${column}"]`);

async function write(page, name, column, text) {
  await cell(page, name, column).click();
  await page.keyboard.press('Enter');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

/** The pictures. `act` prepares the page, and `shown` is the element to wait for. */
const PICTURES = [
  { name: 'matrix', address: '/projects/postgresql', shown: (page) => page.getByRole('rowheader').first() },
  {
    name: 'explain',
    address: '/projects/postgresql?cell=max_connections&in=canary',
    shown: (page) => page.getByRole('complementary').getByRole('heading', { name: 'History' }),
  },
  {
    name: 'review',
    address: '/projects/postgresql',
    act: async (page) => {
      await write(page, 'archive_timeout', 2, '120');
      await write(page, 'autovacuum_max_workers', 2, '8');
      await page.getByRole('link', { name: 'Review' }).click();
    },
    shown: (page) => page.getByRole('heading', { name: /effective values? changes?/ }),
  },
  { name: 'history', address: '/history', shown: (page) => page.getByText('Larger buffers everywhere') },
];

const say = console.log;
await ensure();
const { buildApps } = await import('../build-apps.mjs');
const { Stage } = await import('../bench/stage.mjs');
const { showPlatform } = await import('../console/shown-platform.mjs');

let stage;
let ending;
const end = (code) => {
  ending ??= (async () => {
    await stage?.close();
    process.exit(code);
  })();
  return ending;
};
onEnd(() => void end(1));

try {
  await buildApps(['core', 'gateway', 'console'], say);
  stage = await Stage.open({ log: say });
  const { browser, origin, storageState } = await showPlatform(stage, say);
  fs.mkdirSync(FOLDER, { recursive: true });
  let bytes = 0;
  for (const theme of THEMES) {
    for (const picture of PICTURES) {
      const taken = await take(browser, { baseURL: origin, storageState, colorScheme: theme }, picture);
      fs.writeFileSync(path.join(FOLDER, `${picture.name}-${theme}.webp`), taken);
      say(`  ${`${picture.name}-${theme}`.padEnd(20)} ${Math.round(taken.length / 1_000)} kB`);
      bytes += taken.length;
    }
  }
  await browser.close();
  say(`${Math.round(bytes / 1_000)} kB in docs/pictures/`);
  if (bytes > BYTES_MAX) throw new Error(`That is more than ${BYTES_MAX / 1_000} kB: take fewer, or lower QUALITY.`);
  await end(0);
} catch (error) {
  if (!ending) console.error(error.message);
  await end(1);
}

/** The browser itself encodes WebP, because Playwright has no option for it. */
async function take(browser, settings, { address, act, shown }) {
  const context = await browser.newContext({
    viewport: SIZE,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...settings,
  });
  const page = await context.newPage();
  await page.goto(address);
  await act?.(page);
  await shown(page).waitFor();
  await page.waitForLoadState('networkidle');
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await context.close();
  return Buffer.from(data, 'base64');
}
