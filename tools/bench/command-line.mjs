// Measures the processor time of `strata get`, from the start of its process to its end.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../ensure.mjs';
import { median } from './measure.mjs';

const RUNS = 20;
/** Reports the processor time of the process on a separate stream when it ends. */
const REPORT = `import fs from 'node:fs';
process.on('exit', () => { const { user, system } = process.cpuUsage(); fs.writeSync(3, String((user + system) / 1000)); });`;

/** Returns the median in milliseconds. The program reads one value of a project. */
export function measureCommandLine({ url, apiKey, project, environment, name }) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-command-line-'));
  const program = path.join(root, 'apps', 'cli', 'dist', 'main.js');
  const args = ['--import', `data:text/javascript,${encodeURIComponent(REPORT)}`, program, 'get', name];
  const selection = { STRATA_PROJECT: project, STRATA_ENVIRONMENT: environment };
  const env = { HOME: home, STRATA_URL: url, STRATA_API_KEY: apiKey, ...selection };
  try {
    const times = Array.from({ length: RUNS }, () => {
      const { status, stderr, output } = spawnSync(process.execPath, args, {
        ...{ env, cwd: home, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe', 'pipe'] },
      });
      if (status !== 0) throw new Error(`strata get ended with ${status}: ${stderr}`);
      return Number(output[3]);
    });
    return median(times);
  } finally {
    fs.rmSync(home, { recursive: true });
  }
}
