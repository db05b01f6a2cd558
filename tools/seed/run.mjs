// `npm run seed`: loads the configuration of a real platform into the running service through its public API.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensure } from '../ensure.mjs';
import { connect } from './client.mjs';

const HELP = `Usage: npm run seed -- [--url <origin>] [--api-key <key>]

  --url      the origin of the core; by default that of the running npm start, or of STRATA_HOST and STRATA_PORT if set
  --api-key  by default STRATA_BOOTSTRAP_API_KEY, or the key that npm start left in .strata/credentials.json`;

const root = path.resolve(import.meta.dirname, '../..');

const dataDir = path.resolve(root, process.env.STRATA_DATA_DIR || '.strata');

async function defaultUrl() {
  const { runningAddresses } = await import('../../apps/cli/src/start/running-addresses.ts');
  const running = process.env.STRATA_PORT ? null : runningAddresses(dataDir);
  if (running) return running.core;
  const host = process.env.STRATA_HOST || '127.0.0.1';
  const port = process.env.STRATA_PORT || '3000';
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

function defaultApiKey() {
  if (process.env.STRATA_BOOTSTRAP_API_KEY) return process.env.STRATA_BOOTSTRAP_API_KEY;
  const file = path.join(dataDir, 'credentials.json');
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')).api_key;
  } catch {
    throw new Error(`No API key: ${file} cannot be read. Run npm start once, or give --api-key.`);
  }
}

async function main() {
  const { values: options } = parseArgs({
    options: { url: { type: 'string' }, 'api-key': { type: 'string' }, help: { type: 'boolean' } },
  });
  if (options.help) return console.log(HELP);
  // The loader is written in TypeScript, which the Node from the packages can run, and uses the compiled import.
  await ensure();
  const { buildApps } = await import('../build-apps.mjs');
  await buildApps(['console'], console.log);
  const { load } = await import('./load.mjs');
  const url = options.url ?? (await defaultUrl());
  const api = connect(url, options['api-key'] ?? defaultApiKey());
  console.log(`Seeding ${url}`);
  const started = performance.now();
  const created = await load(api, (part, createdCount) => {
    console.log(`  ${part.padEnd(14)} ${createdCount === 0 ? 'already there' : `${createdCount} created`}`);
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(created === 0 ? 'Nothing to do: everything was there already.' : `${created} objects in ${seconds} s.`);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
