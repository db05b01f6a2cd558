import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
const bin = (name: string): string => path.join(root, 'node_modules', name);

/** Runs a program of a package on this Node. If it fails, the error contains its output. */
async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(process.execPath, [bin(program), ...args], { cwd }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${program} failed:\n${stdout}${stderr}`);
    },
  );
}

test('TypeScript types generated from the published description compile, and a program against them', async () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-client-'));
  try {
    fs.copyFileSync(path.join(root, 'tools/generated-clients/program.ts'), path.join(directory, 'program.ts'));
    const description = path.join(root, 'docs/openapi.json');
    await run('openapi-typescript/bin/cli.js', [description, '--output', 'api.d.ts'], directory);
    const strict = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--types', '', '--allowImportingTsExtensions'];
    await run('typescript-7/bin/tsc', [...strict, '--module', 'nodenext', 'program.ts'], directory);
  } finally {
    fs.rmSync(directory, { recursive: true, force: true });
  }
});
