import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createGrowingPause } from '@strata/testkit';
import type { Config } from '../config.ts';
import { type CacheOptions, FileCache } from '../file-cache.ts';
import { connectWith, type SessionOptions } from '../session.ts';
import type { StrataError } from '../strata-error.ts';
import { TIMES, type Times } from '../times.ts';

/** Long enough for a machine that is busy with other work. */
const TIMEOUT_MS = 120_000;

export async function waitUntil(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const pause = createGrowingPause();
  for (const end = Date.now() + TIMEOUT_MS; !(await isTrue()); await pause()) {
    if (Date.now() > end) throw new Error(`Still false after ${TIMEOUT_MS} ms: ${isTrue}`);
  }
}

type ProgramOptions = Partial<SessionOptions> &
  Pick<SessionOptions, 'url' | 'credential'> & { readonly cache?: CacheOptions; readonly now?: () => number };

/** Starts programs with this package, and ends them after a test. */
export class Programs {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-sdk-'));
  private readonly started: Config[] = [];
  private readonly ending = new AbortController();

  /** Connects to the project `shop`. Errors are added to the list. */
  async connect(
    { cache, now, ...options }: ProgramOptions,
    { times = {}, errors = [] }: { readonly times?: Partial<Times>; readonly errors?: StrataError[] } = {},
  ): Promise<Config> {
    const completeOptions: SessionOptions = {
      project: 'shop',
      environment: 'default',
      whenUnavailable: cache ? 'cached' : 'fail',
      onError: (error) => errors.push(error),
      signal: this.ending.signal,
      ...options,
    };
    const backoffMs = { first: 20, most: 200 };
    const file = cache ? new FileCache(cache, options.credential, now) : null;
    const config = await connectWith(completeOptions, file, { ...TIMES, backoffMs, ...times });
    this.started.push(config);
    return config;
  }

  file(name: string): string {
    return path.join(this.folder, name);
  }

  async end(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.started.map((config) => config.close()));
    fs.rmSync(this.folder, { recursive: true });
  }
}
