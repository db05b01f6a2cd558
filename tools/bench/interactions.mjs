// Part of npm run bench -- --console: measures the time from a key or click to the painted change in a matrix of 10,000
// parameters in 20 environments, on a slowed processor and a slow network, beside a page that does the minimum.
import { percentile } from './measure.mjs';
import { SEARCHED_PARAMETERS, SEARCHED_PROJECT } from './search-project.mjs';

const SHOWN_ENVIRONMENTS = 20;
const SLOWER = 4;
const NETWORK_DELAY_MS = 300;
const ROUNDS = 12;
/** The maximum time from a key or click to the painted change. */
export const PAINTED_MS_MAX = 50;
/** The time after which an interaction counts as not supported. */
const GIVEN_UP_MS = 5_000;
/** The time after an interaction in which the page finishes its work. */
const SETTLED_MS = 150;
const SCROLLED_PIXELS = 24_000;
const PIXELS_PER_SECOND = 6_000;

/** Expressions for the state of the page, which an interaction changes. */
const STATE = {
  focus: '[document.activeElement.closest("[data-row]")?.dataset.row, document.activeElement.dataset.column].join()',
  editor: 'document.querySelector("[role=grid] textarea") !== null',
  text: 'document.activeElement.value',
  drafts:
    'document.querySelectorAll("[data-draft=staged]").length + String(document.querySelector("[role=grid] textarea") !== null)',
  selected: 'document.querySelectorAll("[role=grid] [aria-selected=true]").length',
  panel: 'document.querySelector("aside:not(:has(nav))")?.getAttribute("aria-label") ?? null',
  columns: 'document.querySelector("[role=grid]").ariaColCount',
  rows: 'document.querySelector("[role=grid]").ariaRowCount + document.querySelector("[role=grid]").ariaBusy',
  status: 'document.querySelector("[data-source]")?.dataset.column',
};

const press = (key) => (page) => page.keyboard.press(key);
const arrow = (page, round) => page.keyboard.press(['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft'][round % 4]);
const columnBox = (page, round) => page.getByRole('checkbox', { name: `searched-${1 + (round % 9)}`, exact: true });

/**
 * The interactions. `before` and `after` are not measured. `mayWait` marks those that read from the server, which may
 * take longer.
 */
const INTERACTIONS = [
  { name: 'arrow key', state: 'focus', act: arrow },
  { name: 'Page Down', state: 'focus', act: (page, round) => page.keyboard.press(round % 2 ? 'PageUp' : 'PageDown') },
  { name: 'Shift and arrow key', state: 'selected', act: press('Shift+ArrowDown'), after: press('ArrowUp') },
  { name: 'open the editor', state: 'editor', act: press('Enter'), after: press('Escape') },
  { name: 'type in the editor', state: 'text', before: press('Enter'), act: press('x'), after: press('Escape') },
  {
    name: 'stage a draft',
    state: 'drafts',
    before: (page, round) => page.keyboard.type(`d${round}`),
    act: press('Enter'),
  },
  { name: 'arrow key beside drafts', state: 'focus', act: arrow },
  { name: 'undo', state: 'drafts', act: press('Control+z') },
  { name: 'open the explanation', state: 'panel', act: press('Space'), after: press('Escape') },
  { name: 'move with the explanation', state: 'panel', first: press('Space'), act: arrow, last: press('Escape') },
  {
    name: 'show or hide a column',
    state: 'columns',
    first: (page) => page.getByText(/^\d+ of \d+$/).click(),
    act: async (page, round) => (await columnBox(page, round)).click(),
    last: press('Escape'),
  },
  {
    name: 'filter by state',
    mayWait: true,
    state: 'rows',
    act: (page, round) => page.getByText(['Missing', 'All'][round % 2], { exact: true }).click(),
  },
];

/** Returns an expression that resolves with the milliseconds from the next input until the change is painted. */
const untilPainted = (state) => `new Promise((resolve) => {
  const read = () => ${state};
  const before = read();
  const until = performance.now() + ${GIVEN_UP_MS};
  let started;
  const start = ({ timeStamp }) => { started ??= timeStamp; };
  for (const type of ['keydown', 'click', 'input']) addEventListener(type, start, { capture: true, once: true });
  const painted = new MessageChannel();
  painted.port1.onmessage = () => resolve(performance.now() - started);
  const frame = () => {
    if (started !== undefined && read() !== before) painted.port2.postMessage(null);
    else if (performance.now() > until) resolve(null);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

export async function measured(page, state, act) {
  await page.evaluate(`void (globalThis.painted = ${untilPainted(state)})`);
  await act();
  const ms = await page.evaluate('globalThis.painted');
  await page.waitForTimeout(SETTLED_MS);
  return ms;
}

/** A page that only writes a number when a key is pressed. */
async function openFloor(context) {
  const page = await context.newPage();
  await page.setContent('<p tabindex="0">0</p>');
  await page.evaluate(() => {
    const [text] = document.querySelectorAll('p');
    addEventListener('keydown', () => {
      text.textContent = String(Number(text.textContent) + 1);
    });
  });
  return page;
}

async function slowDown(context, page) {
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: NETWORK_DELAY_MS,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await session.send('Performance.setTimeDomain', { timeDomain: 'threadTicks' });
  await session.send('Performance.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return session;
}

/** Returns the processor time of the page's main thread, in milliseconds. Other processes do not affect it. */
async function mainThreadMs(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1_000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** Measures one interaction and the floor in turn. Returns null if the page does not change. */
async function measureOne(interaction, { page, floor, session }) {
  const { state, act, before, after, first, last } = interaction;
  const [times, floors, costs] = [[], [], []];
  await page.bringToFront();
  await first?.(page);
  await page.waitForTimeout(SETTLED_MS);
  // The first round may load code, and is not counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    await page.bringToFront();
    await before?.(page, round);
    const spent = await mainThreadMs(session);
    const ms = await measured(page, STATE[state], () => act(page, round));
    const cost = (await mainThreadMs(session)) - spent;
    await after?.(page, round);
    if (ms === null && times.length === 0 && round > 0) return null;
    await page.waitForTimeout(SETTLED_MS);
    await floor.bringToFront();
    const floorMs = await measured(floor, 'document.querySelector("p").textContent', () => floor.keyboard.press('a'));
    if (round > 0 && ms !== null) {
      times.push(ms);
      costs.push(cost);
      floors.push(floorMs);
    }
  }
  await page.bringToFront();
  await last?.(page);
  return {
    p50: percentile(times, 50),
    p95: percentile(times, 95),
    floor: percentile(floors, 95),
    cost: percentile(costs, 50),
  };
}

/** Scrolls down and returns the frames per second, and the longest frame. */
async function measureScrolling(page, session) {
  await page.bringToFront();
  const { x, y, width, height } = await page.getByRole('grid').boundingBox();
  await page.evaluate(() => {
    globalThis.frames = [];
    const frame = (at) => {
      globalThis.frames.push(at);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const place = { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
  await session.send('Input.synthesizeScrollGesture', {
    ...place,
    yDistance: -SCROLLED_PIXELS,
    speed: PIXELS_PER_SECOND,
    gestureSourceType: 'mouse',
  });
  const frames = await page.evaluate(() => globalThis.frames);
  const between = frames.slice(1).map((at, index) => at - frames[index]);
  return { perSecond: (1_000 * between.length) / (frames.at(-1) - frames[0]), longestMs: Math.max(...between) };
}

/** Measures the interactions with the matrix. The browser is signed in. */
export async function measureInteractions({ browser, origin, storageState }, say) {
  const context = await browser.newContext({ baseURL: origin, storageState, viewport: { width: 1440, height: 900 } });
  try {
    const floor = await openFloor(context);
    const page = await context.newPage();
    const shown = Array.from({ length: SHOWN_ENVIRONMENTS }, (_, at) => `searched-${at + 1}`);
    await page.goto(`/projects/${SEARCHED_PROJECT}?envs=${encodeURIComponent(JSON.stringify(shown))}`);
    await page.locator('[data-row="20"] [data-origin]:not([data-origin=waiting])').first().waitFor();
    await page.locator('[data-row="3"] [data-column="3"]').click();
    await slowDown(context, floor);
    const session = await slowDown(context, page);
    const rows = [];
    for (const interaction of INTERACTIONS) {
      say(`Measuring: ${interaction.name} …`);
      rows.push({
        name: interaction.name,
        mayWait: interaction.mayWait,
        ...(await measureOne(interaction, { page, floor, session })),
      });
    }
    say('Measuring: scrolling …');
    return { rows, scrolling: await measureScrolling(page, session) };
  } finally {
    await context.close();
  }
}

export function renderInteractions({ rows, scrolling }) {
  const verdict = ({ p95, floor, mayWait }) =>
    mayWait
      ? 'reads from the server'
      : p95 <= PAINTED_MS_MAX
        ? 'met'
        : `missed (${(p95 / floor).toFixed(1)} times the bare page)`;
  const line = (row) => {
    if (row.p95 === undefined) return `${row.name.padEnd(30)} does not change the page`;
    const cells = [row.p50, row.p95, row.floor, row.cost].map((ms) => ms.toFixed(0).padStart(9));
    return `${row.name.padEnd(30)}${cells.join('')}  ${verdict(row)}`;
  };
  return [
    `From a key or click to the painted change: ${SEARCHED_PARAMETERS.toLocaleString('en')} parameters in ${SHOWN_ENVIRONMENTS} environments, processor ${SLOWER} times slower, network ${NETWORK_DELAY_MS} ms`,
    '',
    `${'milliseconds'.padEnd(30)}${['p50', 'p95', 'bare p95', 'thread'].map((head) => head.padStart(9)).join('')}  p95 ≤ ${PAINTED_MS_MAX} ms`,
    ...rows.map(line),
    '',
    '`thread` is the processor time of the main thread until the page is idle again; other processes do not affect it.',
    `Scrolling ${PIXELS_PER_SECOND.toLocaleString('en')} pixels per second: ${scrolling.perSecond.toFixed(0)} frames per second, longest frame ${scrolling.longestMs.toFixed(0)} ms.`,
  ].join('\n');
}
