import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Guide } from '../testing/guide.ts';
import { describeWith, installDebianProgram, installGoProgram, installPythonProgram } from './tools.ts';

const COMPOSE = installGoProgram('github.com/compose-spec/compose-go/v2/cmd@v2.16.2');
const ANALYZE = installDebianProgram('systemd-analyze', 'systemd');
const VALIDATE = await installPythonProgram('kubernetes-validate', 'kubernetes-validate==1.37.0');

/** Returns the status and the output of a program that checks a text in a file. */
function checked(text: string, [program, ...args]: readonly [string, ...string[]]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-checked-'));
  try {
    const file = path.join(folder, 'shop.service');
    fs.writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(program, [...args, file], { encoding: 'utf8' });
    return [status, `${stdout}${stderr}`];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function firstBlock(name: string, heading: string, language: string): string {
  const guide = new Guide(name);
  guide.remove();
  const [block] = guide.blocks(heading, language);
  if (block === undefined) throw new Error(`The guide ${name} has no ${language} in the section ${heading}.`);
  return block;
}

describeWith([COMPOSE], 'the compose file of the guide for Docker', () => {
  test('is valid, and gives the container the file of the key', () => {
    const text = firstBlock('use-with-docker', 'Pass the key as a secret', 'yaml');
    const [status, output] = checked(text, [COMPOSE.program, '-format', 'json']);
    expect(status).toBe(0);
    const { services, secrets } = JSON.parse(String(output));
    expect(services.shop.secrets).toEqual([expect.objectContaining({ source: Object.keys(secrets)[0] })]);
  });
});

describeWith([ANALYZE], 'the unit of the guide for systemd', () => {
  test('is valid', () => {
    // The program has to exist, and this test does not install it.
    const unit = firstBlock('use-with-systemd', 'Create the unit', 'ini').replace('/usr/local/bin/strata', '/bin/true');
    const verify = (text: string) => checked(text, [ANALYZE.program, 'verify', '--man=no']);
    expect(verify(unit)).toEqual([0, '']);
    expect(verify(unit.replace('LoadCredential=', 'LoadCredentials='))[1]).toContain('LoadCredentials');
  });
});

describeWith([VALIDATE], 'the manifests of the guide for Kubernetes', () => {
  test('follow the schemas of Kubernetes', () => {
    const text = firstBlock('use-with-kubernetes', 'Run the program with strata run', 'yaml');
    const validate = (manifests: string) =>
      checked(manifests, [VALIDATE.program, '--strict', '--kubernetes-version', '1.37']);
    expect(validate(text)).toEqual([0, expect.stringContaining('deployment/shop')]);
    expect(validate(text.replace('audience:', 'audiences:'))[0]).toBe(1);
  });
});
