// Runs a core of the previous release beside one of this release, both on the schema of this release. Both write the
// same changes and read what the other one wrote. Then it checks the ledger. Build the previous release in another
// directory, then, after `npm run build`: node --conditions=@strata/source tools/side-by-side.mjs <its
// apps/core/dist/main.js>
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, nodeArguments, startPostgres } from '../libs/processes/src/index.ts';
import { ledgerProblems } from '../libs/testkit/src/ledger-check.ts';

const [before] = process.argv.slice(2);
if (!before) throw new Error('Which main.js? See the first lines of this file.');
const root = path.resolve(import.meta.dirname, '..');
const [OLD, NEW] = [path.resolve(before), path.join(root, 'apps/core/dist/main.js')];
const WRITERS = 4;
const WRITES = 50;
const API_KEY = `besides0.${randomBytes(32).toString('base64url')}`;

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-beside-'));
const postgres = await startPostgres({
  dataDir: path.join(directory, 'data'),
  password: 'beside',
  durable: false,
  port: await freePort(),
  removeOnEnd: directory,
});
const settings = {
  DATABASE_URL: postgres.url(),
  STRATA_UNSAFE_DATABASE: 'true',
  STRATA_ROOT_KEY: randomBytes(32).toString('base64'),
  STRATA_LOG_LEVEL: 'error',
  STRATA_GRACE_SECONDS: '0',
  STRATA_BOOTSTRAP_PASSWORD: randomBytes(12).toString('hex'),
  STRATA_BOOTSTRAP_API_KEY: API_KEY,
};

const run = (main, args, more = {}) =>
  spawn(process.execPath, [...nodeArguments(), main, ...args], {
    env: { PATH: process.env.PATH, ...settings, ...more },
    stdio: 'inherit',
  });

async function startCore(main) {
  const port = String(await freePort());
  const child = run(main, [], { STRATA_PORT: port });
  const origin = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${main} ended with ${child.exitCode}.`);
    await sleep(100);
  }
  return { child, origin };
}

let writes = 0;

async function ask(core, method, link, body) {
  if (method !== 'GET') writes += 1;
  const { pathname, search } = new URL(link, `${core.origin}/api/v1/`);
  const answer = await fetch(`${core.origin}${pathname}${search}`, {
    method,
    headers: { authorization: `Api-Key ${API_KEY}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${pathname}: ${answer.status} ${text}`);
  return { body: text === '' ? null : JSON.parse(text), revision: answer.headers.get('x-revision') };
}

/** Writes through one core and reads each write through the other, as of the revision of the write. */
async function writeAndRead(core, other, { project, value }, name) {
  for (let n = 0; n < WRITES; n += 1) {
    const text = `${name} ${n}`;
    const { revision } = await ask(core, 'PATCH', value.url, { internal_value: text });
    const link = `${project.url}effective/?environment=default&revision=${revision}`;
    const { body } = await ask(other, 'GET', link);
    if (body.values.SHARED !== text) throw new Error(`${text} reads ${JSON.stringify(body.values)} at ${revision}.`);
    const made = await ask(core, 'POST', 'environments/', { name: text });
    await ask(other, 'PATCH', made.body.url, { description: 'of the other' });
    if (n % 2 === 0) await ask(core, 'DELETE', made.body.url);
  }
}

await once(run(NEW, ['migrate']), 'close');
const cores = { old: await startCore(OLD), new: await startCore(NEW) };
const project = (await ask(cores.new, 'POST', 'projects/', { name: 'shared' })).body;
const parameter = (await ask(cores.old, 'POST', `${project.url}parameters/`, { name: 'SHARED' })).body;
const [{ url: environment }] = (await ask(cores.new, 'GET', 'environments/?name=default')).body.results;
const input = { environment, internal_value: 'first' };
const value = (await ask(cores.old, 'POST', `${parameter.url}values/`, input)).body;
await Promise.all(
  Array.from({ length: WRITERS }, (_, n) =>
    n % 2 === 0
      ? writeAndRead(cores.old, cores.new, { project, value }, `old ${n}`)
      : writeAndRead(cores.new, cores.old, { project, value }, `new ${n}`),
  ),
);
const problems = await ledgerProblems(settings.DATABASE_URL);
for (const { child } of Object.values(cores)) {
  child.kill('SIGTERM');
  await once(child, 'close');
}
await postgres.stop();
console.log(`${writes} writes of two releases; problems of the ledger: ${problems.length}`);
for (const problem of problems) console.log(`  ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
