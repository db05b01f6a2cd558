import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type OwnCore, RawClient, startCore, type TestOrganization } from '../libs/testkit/src/index.ts';
import { startBrowser } from './browser/chromium.mjs';
import { Guide, parseApiKey } from './testing/guide.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const guide = new Guide('use-openfeature');
const { browser, missing } = await startBrowser();
const journey = browser ? it : it.skip;

let core: OwnCore;
let page: http.Server;
let script = '';
let organization: TestOrganization;
let keys: Readonly<Record<string, string>>;
beforeAll(async () => {
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(guide.directory, 'node_modules'));
  page = http.createServer(({ url }, response) => {
    response.setHeader('content-type', url === '/page.js' ? 'text/javascript' : 'text/html');
    response.end(url === '/page.js' ? script : '<!doctype html><body><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  core = await startCore({ STRATA_BROWSER_ORIGINS: originOfPage() });
  organization = await core.organization();
  const KEY = parseApiKey(await organization.authorization('OWNER'));
  const [account = '', flags = ''] = guide.blocks('Create a key and flags');
  keys = { KEY, FLAGS_KEY: JSON.parse(await pasted(account, { KEY })).apikey };
  await pasted(flags, keys);
});
afterAll(async () => {
  await browser?.close();
  page.close();
  await core.close();
  guide.remove();
});

const originOfPage = () => `http://127.0.0.1:${(page.address() as AddressInfo).port}`;

const pasted = (code: string, variables: Readonly<Record<string, string>>) =>
  guide.run(code, { API: `${core.origin}/api/v1`, ...variables });

/** Runs Node in the directory of the guide, and returns the output. */
const node = (args: readonly string[]) =>
  guide.run('', { API: `${core.origin}/api/v1`, ...keys }, process.execPath, args);

it('the request of the guide returns a flag, and its program for Node prints the flags', async () => {
  expect(JSON.parse(await pasted(guide.code('Try it'), keys))).toMatchObject({
    ...{ key: 'new_checkout', value: true, reason: 'STATIC', variant: 'production' },
  });
  fs.writeFileSync(path.join(guide.directory, 'flags.mjs'), guide.blocks('Read flags in Node', 'js').join());
  expect(await node(['flags.mjs'])).toBe('true 25\n');
});

journey(
  `the page of the guide shows the flags of another origin, and their changes${missing ? ` (${missing})` : ''}`,
  async () => {
    const file = path.join(guide.directory, 'page.mjs');
    fs.writeFileSync(file, guide.blocks('Read flags in a browser', 'js').join().replace('10_000', '100'));
    const bundler = path.join(ROOT, 'node_modules/rolldown/bin/cli.mjs');
    await node([bundler, file, '--platform', 'browser', '--file', 'bundle.js']);
    const globals = JSON.stringify({ api: `${core.origin}/api/v1`, key: keys.FLAGS_KEY });
    script = `window.strata = ${globals};\n${fs.readFileSync(path.join(guide.directory, 'bundle.js'), 'utf8')}`;

    const tab = await browser?.newPage();
    await tab?.goto(originOfPage());
    await tab?.getByText('checkout: true').waitFor();
    const owner = new RawClient(core.origin, `Api-Key ${keys.KEY}`);
    const { body } = await owner.get<{ results: { id: string }[] }>('projects/?name=shop');
    const values = `projects/${body.results[0]?.id}/values/?environment=production`;
    expect((await owner.put(values, { values: { new_checkout: 'false' } })).status).toBe(200);
    await tab?.getByText('checkout: false').waitFor();
    const polls = tab?.waitForResponse((response) => response.status() === 304);
    expect((await polls)?.headers()['access-control-allow-origin']).toBe(originOfPage());
  },
);
