import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { sharedCore } from '@strata/testkit';
import { pack, writeClientPackage } from './package.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Both entries together, minified and compressed as servers send them. */
const GZIP_BYTES_MAX = 10_000;

let empty: string;
let installed: string;

/** Runs a module in the folder of a program that has installed the package. */
const program = (text: string, args: readonly string[] = []) => {
  const file = path.join(empty, 'program.mjs');
  fs.writeFileSync(file, text);
  return run(process.execPath, [...args, file], { cwd: empty });
};

beforeAll(async () => {
  await run(process.execPath, [path.join(root, 'tools/build-sdk.mjs')], { cwd: path.join(root, 'libs/sdk') });
  empty = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-client-'));
  const folder = path.join(empty, 'package');
  fs.mkdirSync(folder);
  writeClientPackage(folder);
  const tarball = await pack(folder, empty);
  fs.rmSync(folder, { recursive: true });
  await run('tar', ['-xzf', tarball], { cwd: empty });
  installed = path.join(empty, 'node_modules/strata-config-client');
  fs.mkdirSync(path.dirname(installed));
  fs.renameSync(folder, installed);
});
afterAll(() => fs.rmSync(empty, { recursive: true, force: true }));

test('contains no dependencies, sources, tests or scripts, and the version of the release', () => {
  const read = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8'));
  const manifest = read(path.join(installed, 'package.json'));
  expect(manifest).toMatchObject({
    name: 'strata-config-client',
    version: read(path.join(root, 'package.json')).version,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
  });
  expect(Object.keys(manifest)).not.toContainEqual(expect.stringMatching(/dependencies|scripts/i));
  expect(JSON.stringify(manifest)).not.toMatch(/@strata/);
  expect(fs.readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  const files = fs.readdirSync(path.join(installed, 'dist'));
  expect(files.filter((file) => !/^[\w-]+\.(d\.ts|js)$/.test(file))).toEqual([]);
});

test(`is at most ${GZIP_BYTES_MAX} bytes long, minified and compressed`, async () => {
  const folder = path.join(empty, 'minified');
  const builder = JSON.stringify(path.join(root, 'tools/build-sdk.mjs'));
  const script = `(await import(${builder})).bundleSdk(${JSON.stringify(folder)}, { minify: true })`;
  await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
  const texts = fs.readdirSync(folder).map((file) => fs.readFileSync(path.join(folder, file)));
  const all = Buffer.concat(texts);
  expect(all.length).toBeGreaterThan(5_000);
  expect(gzipSync(all).length).toBeLessThanOrEqual(GZIP_BYTES_MAX);
});

test('runs in Node.js, with the cache, and in other platforms without it', async () => {
  const core = await sharedCore();
  const org = await core.organization();
  const project = await org.project({ name: 'shop' });
  await org.value({ parameter: await org.parameter({ project, name: 'PORT' }), internal_value: '8080' });
  const options = {
    url: core.origin,
    credential: await org.authorization('VIEWER'),
    project: 'shop',
    environment: 'default',
  };
  const text = (more: object) => `
    import { connect } from 'strata-config-client';
    const config = await connect(${JSON.stringify({ ...options, ...more })});
    console.log(config.number('PORT'));
    await config.close();
  `;
  const file = path.join(empty, 'cache');
  expect((await program(text({ cache: { file } }))).stdout).toBe('8080\n');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  const browser = fs.readFileSync(path.join(installed, 'dist/browser.js'), 'utf8');
  const shared = fs.readFileSync(path.join(installed, 'dist/session.js'), 'utf8');
  expect(`${browser}${shared}`).not.toMatch(/node:|\bprocess\b|\bBuffer\b/);
  const asBrowser = text({}).replace("'strata-config-client'", JSON.stringify(path.join(installed, 'dist/browser.js')));
  expect((await program(asBrowser)).stdout).toBe('8080\n');
});

test.each([
  ['nodenext', 'cached', ''],
  ['bundler', 'wait', 'Type \'"cached"\' is not assignable'],
])('has types for programs that resolve modules as %s', async (resolution, allowed, error) => {
  const source = (whenUnavailable: string) => `
    import { connect, ConfigError, StrataError, type Config } from 'strata-config-client';
    const config: Config = await connect({
      url: '', credential: { apiKey: '' }, project: '', environment: '', whenUnavailable: '${whenUnavailable}',
      validate: (next) => { if (next.number('PORT') < 1) throw new ConfigError('no'); },
    });
    const port: number = config.number('PORT');
    const host: string | undefined = config.string('HOST', undefined);
    const rules: { a: number } = config.json<{ a: number }>('RULES');
    console.log(port, host, rules, StrataError);
  `;
  const compile = (whenUnavailable: string) => {
    fs.writeFileSync(path.join(empty, 'program.mts'), source(whenUnavailable));
    const compiler = path.join(root, 'node_modules/typescript-7/bin/tsc');
    const module = resolution === 'nodenext' ? 'nodenext' : 'esnext';
    const options = ['--module', module, '--moduleResolution', resolution, '--target', 'es2022', '--lib', 'es2022,dom'];
    return run(process.execPath, [compiler, '--noEmit', '--strict', '--types', '', ...options, 'program.mts'], {
      cwd: empty,
    });
  };
  await compile(allowed);
  if (error) await expect(compile('cached')).rejects.toMatchObject({ stdout: expect.stringContaining(error) });
});
