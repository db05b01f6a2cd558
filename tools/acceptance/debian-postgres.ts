import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import pg from 'pg';
import { waitUntil } from '../testing/start-folder.ts';
import { installDebianProgram } from './tools.ts';

const BIN = '/usr/lib/postgresql/15/bin';
export const DEBIAN_POSTGRES = installDebianProgram(`${BIN}/postgres`, 'postgresql-15');

/** Returns the user that programs run as which reject root. */
export function systemUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']).toString());
  return { uid: id('-u'), gid: id('-g') };
}

/** The PostgreSQL 15 of Debian, with its files in a folder and the account `strata`, which needs no password. */
export class DebianPostgres {
  private server: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
    private readonly identity: ReturnType<typeof systemUser>,
  ) {}

  static async create(folder: string): Promise<DebianPostgres> {
    const identity = systemUser();
    if (identity.uid !== undefined && identity.gid !== undefined) fs.chownSync(folder, identity.uid, identity.gid);
    const postgres = new DebianPostgres(folder, await findFreePort(), identity);
    postgres.run(`${BIN}/initdb`, '-D', postgres.data, '-U', 'strata', '--auth=trust', '--encoding=UTF8', '--locale=C');
    return postgres;
  }

  get data(): string {
    return path.join(this.folder, 'data');
  }

  url(database = 'strata'): string {
    return `postgres://strata@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs a program as the user of the server. */
  run(program: string, ...args: readonly string[]): void {
    execFileSync(program, args, { ...this.identity, cwd: this.folder, stdio: ['ignore', 'ignore', 'pipe'] });
  }

  async query(sql: string, database?: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql).finally(() => client.end());
    return rows;
  }

  async start(...settings: readonly string[]): Promise<void> {
    const all = [...settings, `unix_socket_directories=${this.folder}`].flatMap((setting) => ['-c', setting]);
    const args = ['-D', this.data, '-p', String(this.port), ...all];
    this.server = spawn(`${BIN}/postgres`, args, { ...this.identity, cwd: this.folder, stdio: 'ignore' });
    const isPrimary = () =>
      this.query('select pg_is_in_recovery() as recovers', 'postgres').then(([row]) => !row?.recovers);
    await waitUntil(() => isPrimary().catch(() => false));
  }

  async stop(): Promise<void> {
    if (!this.server || this.server.exitCode !== null) return;
    this.server.kill('SIGINT');
    await once(this.server, 'exit');
  }
}
