import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { FIELD_RECIPE, type RecipeStep } from '../recipes/field-recipe.ts';
import { scratchCopy } from '../scratch-copy.mjs';
import { describeWith, findInstalledTool } from './tools.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const COMMANDS = [
  ['nx', 'run-many', '-t', 'build', '-p', 'core', 'gateway'],
  ['node', 'apps/core/build/print-openapi.js'],
  ['node', 'apps/gateway/build/print-schema.js'],
] as const;

/** Returns the text of a file after a step. */
function textAfter(step: RecipeStep, source: string): string {
  return 'content' in step ? step.content : source.replace(step.before, () => step.insert + step.before);
}

describeWith([findInstalledTool('git')], 'the recipe of a field, followed in a copy of the sources', () => {
  let folder: string;
  beforeAll(() => {
    folder = scratchCopy(root);
    for (const step of FIELD_RECIPE) {
      const file = path.join(folder, step.file);
      fs.writeFileSync(file, textAfter(step, fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''));
    }
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('compiles, and passes its own test and that of the migrations', async () => {
    const env = { ...process.env, CI: 'true', NX_DAEMON: 'false', STRATA_ACCEPTANCE: undefined };
    for (const [program, ...args] of COMMANDS) await run('npx', [program, ...args], { cwd: folder, env });
    const tests = await run(process.execPath, ['tools/test.mjs', 'owner-notes', 'migrations.spec'], {
      cwd: folder,
      env,
    }).catch((error: { readonly stdout: string }) => error);
    expect(tests.stdout).toMatch(/ 0 failed, 0 skipped\s*$/);
  });
});
