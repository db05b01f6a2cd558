import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packAlerts } from '../release/chart.mjs';
import { describeWith, installDebianProgram } from './tools.ts';

const PROMTOOL = installDebianProgram('promtool', 'prometheus');

describeWith([PROMTOOL], 'the alerts of a release', () => {
  let folder: string;
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-alerts-'));
    execFileSync('tar', ['-xzf', packAlerts(folder, '1.2.3'), '-C', folder]);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  function promtool(...args: readonly string[]): readonly [status: number | null, output: string] {
    const options = { cwd: path.join(folder, 'prometheus'), encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(PROMTOOL.program, args, options);
    return [status, `${stdout}${stderr}`];
  }

  test('are valid rules', () => {
    const count = fs
      .readFileSync(path.join(folder, 'prometheus', 'strata.rules.yml'), 'utf8')
      .match(/- alert:/g)?.length;
    const expected = expect.stringContaining(`SUCCESS: ${count} rules found`);
    expect(promtool('check', 'rules', 'strata.rules.yml')).toEqual([0, expected]);
  });

  test('fire for their cause, and not in normal operation', () => {
    expect(promtool('test', 'rules', 'strata.test.yml')).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});
