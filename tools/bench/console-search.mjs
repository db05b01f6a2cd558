// Part of npm run bench -- --console: measures the time from the input to the first painted result of a search in 10,000
// parameters in 30 environments, beside SQL statements that find the same.
import { measured } from './interactions.mjs';
import { percentile } from './measure.mjs';
import { NAMES_SEARCH, SEARCHED_ENVIRONMENTS, SEARCHED_PARAMETERS, VALUES_SEARCH } from './search-project.mjs';

const ROUNDS = 6;

const option = (text) =>
  `[...document.querySelectorAll('[role=option]')].some((one) => one.textContent.includes(${JSON.stringify(text)}))`;
const link = (text) =>
  `[...document.querySelectorAll('main li a')].some((one) => one.textContent.includes(${JSON.stringify(text)}))`;

/** Each search has another text in each round, because the core keeps responses. */
const SEARCHES = [
  ['palette, a name', (round) => `Setting_99${round}`, (round) => option(`SETTING_99${round}`), NAMES_SEARCH],
  ['palette, a value', (round) => `Service-99${round}`, (round) => option(`service-99${round}`), VALUES_SEARCH],
  ['page, all names', (round) => 'setting'.slice(round % 3), () => link('SETTING_1'), NAMES_SEARCH],
  ['page, a value', (round) => `Service-98${round}`, (round) => link(`SETTING_98${round}`), VALUES_SEARCH],
];

async function inPalette(page, text, locator) {
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  const ms = await measured(page, locator, () => page.keyboard.insertText(text));
  await page.keyboard.press('Escape');
  return ms;
}

async function onPage(page, text, locator) {
  await page.goto('/search');
  await page.getByLabel('Search for').fill(text);
  return measured(page, locator, () => page.keyboard.press('Enter'));
}

/** Measures searches in the browser, which is signed in. `database` is a connection. */
export async function measureSearches({ browser, origin, storageState }, database, say) {
  const context = await browser.newContext({ baseURL: origin, storageState, viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.goto('/projects');
    const rows = [];
    for (const [name, textOf, foundOf, statement] of SEARCHES) {
      say(`Searching: ${name} …`);
      const [times, floors] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        const started = performance.now();
        await database.query(statement, [`%${textOf(round)}%`]);
        floors.push(performance.now() - started);
        times.push(await (name.startsWith('palette') ? inPalette : onPage)(page, textOf(round), foundOf(round)));
      }
      rows.push({ name, p50: percentile(times, 50), p95: percentile(times, 95), floor: percentile(floors, 50) });
    }
    return rows;
  } finally {
    await context.close();
  }
}

export function renderSearches(rows) {
  const line = ({ name, p50, p95, floor }) =>
    name.padEnd(30) +
    [p50, p95, floor, p50 / floor].map((value, at) => value.toFixed(at === 3 ? 1 : 0).padStart(9)).join('');
  return [
    `From the input to the first painted result: ${SEARCHED_PARAMETERS.toLocaleString('en')} parameters in ${SEARCHED_ENVIRONMENTS} environments. The palette waits 150 ms for further keys`,
    '',
    `${'milliseconds'.padEnd(30)}${['p50', 'p95', 'SQL p50', 'ratio'].map((head) => head.padStart(9)).join('')}`,
    ...rows.map(line),
  ].join('\n');
}
