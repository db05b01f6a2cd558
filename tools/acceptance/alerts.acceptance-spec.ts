import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describeWith, fromDebian } from './tools.ts';

const folder = path.resolve(import.meta.dirname, '../../deploy/prometheus');
const PROMTOOL = fromDebian('promtool', 'prometheus');

function promtool(...args: readonly string[]): readonly [status: number | null, output: string] {
  const { status, stdout, stderr } = spawnSync(PROMTOOL.program, args, { cwd: folder, encoding: 'utf8' });
  return [status, `${stdout}${stderr}`];
}

describeWith([PROMTOOL], 'the alerts for Prometheus', () => {
  test('are valid rules', () => {
    expect(promtool('check', 'rules', 'strata.rules.yml')).toEqual([0, expect.stringContaining('16 rules found')]);
  });

  test('fire for their cause, and not in normal operation', () => {
    expect(promtool('test', 'rules', 'strata.test.yml')).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});
