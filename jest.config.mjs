import { swcOptions } from './tools/swc-options.mjs';

/** One configuration for every project; `npm test -- <part of a path>` runs a part. */
const config = {
  roots: ['apps', 'libs', 'integrations', 'tools'].map((directory) => `<rootDir>/${directory}`),
  testMatch: [
    ...['**/*.spec.ts', '**/*.http-spec.ts', '**/*.e2e-spec.ts'],
    ...(process.env.STRATA_ACCEPTANCE ? ['**/*.acceptance-spec.ts'] : []),
    ...(process.env.STRATA_DRILL ? ['**/*.drill-spec.ts'] : []),
  ],
  modulePathIgnorePatterns: ['<rootDir>/(apps|libs|integrations)/[^/]+/(build|dist)/'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/(apps|libs|integrations)/[^/]+/(build|dist)/'],
  testEnvironment: './tools/jest/environment.mjs',
  // Projects import each other's sources, as the compiler does.
  testEnvironmentOptions: { customExportConditions: ['@strata/source', 'node', 'node-addons'] },
  moduleNameMapper: {
    '^undici$': '<rootDir>/tools/jest/undici.mjs',
    '^playwright-core$': '<rootDir>/tools/jest/playwright.mjs',
  },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions()] },
  globalSetup: './tools/jest/setup.mjs',
  globalTeardown: './tools/jest/teardown.mjs',
  testSequencer: './tools/jest/sequencer.mjs',
  // The only time limit of tests and hooks: it ends a test that hangs, on a machine of any speed.
  testTimeout: process.env.STRATA_DRILL ? 3_600_000 : 600_000,
  // Many tests wait more than they work: three workers keep two processors busy for two thirds of the time, four for more.
  maxWorkers: 4,
  // Native ES modules stay in a worker's memory after the file that loaded them. A worker above this is replaced, also after its
  // last file; where the machine is so busy that the new one is not up within half a second, jest ends by saying that a
  // worker failed to exit gracefully. No handle is open then: workers that did run tests end within milliseconds.
  workerIdleMemoryLimit: '1GB',
};

export default config;
