import fs from 'node:fs';
import path from 'node:path';

/** The origins of the services that `strata start` runs on a data directory. */
export interface RunningAddresses {
  readonly core: string;
  readonly gateway: string;
}

const addressesFile = (dataDir: string): string => path.join(dataDir, 'running.json');

/** Stores the addresses until this process ends. */
export function recordAddresses(dataDir: string, addresses: RunningAddresses): void {
  fs.writeFileSync(addressesFile(dataDir), JSON.stringify(addresses), { mode: 0o600 });
  process.once('exit', () => fs.rmSync(addressesFile(dataDir), { force: true }));
}

/** Returns the addresses of the installation that runs on a data directory, or null if none runs. */
export function runningAddresses(dataDir: string): RunningAddresses | null {
  try {
    return JSON.parse(fs.readFileSync(addressesFile(dataDir), 'utf8')) as RunningAddresses;
  } catch {
    return null;
  }
}
