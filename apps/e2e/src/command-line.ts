import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Parameter, Project, Value } from '@strata/contract';
import type { RunningCore, TestOrganization } from '@strata/testkit';
import { buildMissingApps } from './processes.ts';

export const PROGRAM = path.resolve(import.meta.dirname, '../../cli/dist/main.js');

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly folder?: string;
}

/** The built program `strata` for one user, whose home folder is a temporary one. */
export class CommandLine {
  readonly home = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-command-line-'));

  private constructor(private readonly settings: Readonly<Record<string, string>>) {}

  static async create(settings: Readonly<Record<string, string>>): Promise<CommandLine> {
    await buildMissingApps('cli');
    return new CommandLine(settings);
  }

  /** Returns a program with the address of a core, the key of an account, and a selected project and environment. */
  static signedIn(url: string, authorization: string, project: string, environment = 'default'): Promise<CommandLine> {
    const key = authorization.replace(/^Api-Key /, '');
    return CommandLine.create({
      ...{ STRATA_URL: url, STRATA_API_KEY: key, STRATA_PROJECT: project, STRATA_ENVIRONMENT: environment },
    });
  }

  /** Starts a command. It inherits nothing from the environment of the tests but the path. */
  start(args: readonly string[], options: Omit<RunOptions, 'input'> = {}): ChildProcess {
    return this.startProgram(process.execPath, [PROGRAM, ...args], options);
  }

  /** Starts another program like a command, such as a terminal that runs one. */
  startProgram(program: string, args: readonly string[], { env = {}, folder = this.home }: RunOptions = {}) {
    const base = { PATH: process.env.PATH ?? '', HOME: this.home, STRATA_KEYRING: 'off' };
    return spawn(program, args, { cwd: folder, env: { ...base, ...this.settings, ...env } });
  }

  /** Runs a command to its end. */
  async run(args: readonly string[], { input = '', ...options }: RunOptions = {}): Promise<Run> {
    const child = this.start(args, options);
    child.stdin?.on('error', () => undefined).end(input);
    const whenEnded = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr, code] = await Promise.all([
      text(child.stdout as never),
      text(child.stderr as never),
      whenEnded,
    ]);
    return { code, stdout, stderr };
  }

  /** Runs a command with --json and returns its output. Throws if it fails. */
  async json<T>(args: readonly string[], options: RunOptions = {}): Promise<T> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options);
    if (code !== 0) throw new Error(`strata ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  remove(): void {
    fs.rmSync(this.home, { recursive: true, force: true });
  }
}

/** An organization with the project `shop`, and the program of one of its accounts, which has this project selected. */
export class CommandLineShop {
  private constructor(
    readonly organization: TestOrganization,
    readonly project: Project,
    readonly strata: CommandLine,
  ) {}

  static async create(
    core: RunningCore,
    role: 'VIEWER' | 'CONTRIB' | 'ADMIN',
    environment?: string,
  ): Promise<CommandLineShop> {
    const organization = await core.organization();
    const project = await organization.project({ name: 'shop' });
    const authorization = await organization.authorization(role);
    return new CommandLineShop(
      organization,
      project,
      await CommandLine.signedIn(core.origin, authorization, 'shop', environment),
    );
  }

  /** Creates a parameter with a value in the environment `default`, which the others inherit. */
  async set(name: string, text: string | null, secret = false): Promise<{ parameter: Parameter; value: Value }> {
    const parameter = await this.organization.parameter({ project: this.project, name, secret });
    return { parameter, value: await this.organization.value({ parameter, internal_value: text }) };
  }
}
