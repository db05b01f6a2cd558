import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort, type PostgresOptions, type RunningPostgres, startPostgres } from '@strata/processes';
import { listDescendants, signalAll } from './process-tree.ts';

/** A durable PostgreSQL server that tests can kill and restart with the same data and address. */
export class RestartablePostgres {
  private constructor(
    private readonly directory: string,
    private readonly options: PostgresOptions,
    private running: RunningPostgres,
  ) {}

  static async start(parent = os.tmpdir()): Promise<RestartablePostgres> {
    const directory = fs.mkdtempSync(path.join(parent, 'strata-crash-'));
    fs.chmodSync(directory, 0o711); // The database's user must be able to enter the directory.
    const options = {
      dataDir: path.join(directory, 'postgres'),
      password: randomBytes(16).toString('hex'),
      port: await findFreePort(),
      durable: true,
    };
    return new RestartablePostgres(directory, options, await startPostgres(options));
  }

  get url(): string {
    return this.running.url();
  }

  /** Kills the server and all of its workers at the same moment, as a power failure would. */
  async cutPower(): Promise<void> {
    const { pid, exited } = this.running;
    signalAll(listDescendants(pid), 'SIGKILL');
    await exited;
  }

  async start(): Promise<void> {
    this.running = await startPostgres(this.options);
  }

  /** Stops the server as an administrator would. */
  stop(): Promise<void> {
    return this.running.stop();
  }

  async remove(): Promise<void> {
    await this.stop();
    fs.rmSync(this.directory, { recursive: true, force: true });
  }
}
