import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import { findFreePort } from '../libs/processes/src/index.ts';
import { type RunningCore, sharedCore } from '../libs/testkit/src/index.ts';
import { Guide, parseApiKey } from './testing/guide.ts';
import { installedProgramVariables } from './testing/installed-program.ts';

const guide = new Guide('run-an-edge');
let core: RunningCore;
let edge: ChildProcess | null = null;
beforeAll(async () => {
  core = await sharedCore();
  await buildMissingApps('cli');
});
afterAll(async () => {
  if (edge?.exitCode === null) {
    const ended = once(edge, 'close');
    edge.kill();
    await ended;
  }
  guide.remove();
});

it('the guide to run an edge starts one, and programs use it', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const environment = await organization.environmentNamed('production');
  const parameter = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter, environment, internal_value: '8080' });
  const PROGRAM_KEY = parseApiKey(await organization.authorization('VIEWER'));
  const variables = {
    ...{ ...installedProgramVariables(guide, core), STRATA_URL: core.origin, KEY: PROGRAM_KEY, PROGRAM_KEY },
  };
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const withPorts = (code: string) => code.replaceAll('3100', String(port)).replaceAll('3101', String(metricsPort));
  const [createKey = '', start = ''] = guide.blocks('Start it');
  await guide.run(createKey, variables);
  // The machine may lack openssl.
  const keyFile = path.join(guide.directory, 'edge.key');
  if (fs.statSync(keyFile).size === 0) fs.writeFileSync(keyFile, 'k'.repeat(40));

  // `exec` takes no variables.
  edge = guide.start(`exec ${withPorts(start).replace(/^.*?strata edge/s, (all) => `env ${all}`)}`, variables);
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await sleep(50);

  const [run = '', curl = ''] = guide.blocks('Use it');
  expect(await guide.run(withPorts(run), variables)).toBe('8080\n');
  expect(JSON.parse(await guide.run(withPorts(curl), variables)).results[0].values).toEqual({
    PORT: { value: '8080' },
  });
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(metrics).toContain('strata_edge_upstream_connected 1');
});
