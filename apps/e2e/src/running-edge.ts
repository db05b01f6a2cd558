import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Project } from '@strata/contract';
import type { RunningCore, TestOrganization } from '@strata/testkit';
import { BreakableConnection } from './breakable-connection.ts';
import { CommandLine } from './command-line.ts';
import { eventually } from './processes.ts';

const SAVED_AFTER_MS = 1_500;
export const EDGE_KEY = 'a key of an edge with at least 32 characters';

/** The program `strata edge` behind a connection that a test can cut, with the project `shop` of an organization. */
export class RunningEdge {
  private child: ChildProcess | null = null;
  output = '';
  origin = '';

  private constructor(
    readonly core: BreakableConnection,
    private readonly strata: CommandLine,
    private readonly args: readonly string[],
    private readonly port: number,
  ) {}

  /** Starts an edge with the account of a header, and waits until it is ready. */
  static async start(
    upstream: string,
    authorization: string,
    args: readonly string[] = [],
    { isReady = true, key = EDGE_KEY } = {},
  ): Promise<RunningEdge> {
    const core = await BreakableConnection.to(upstream);
    const port = await freePort();
    const strata = await CommandLine.create({
      ...{ STRATA_URL: core.origin, STRATA_API_KEY: authorization.replace(/^Api-Key /, ''), STRATA_EDGE_KEY: key },
      ...{ STRATA_PROJECT: 'shop', STRATA_ENVIRONMENT: 'default' },
    });
    const edge = new RunningEdge(core, strata, args, port);
    await edge.run();
    if (isReady) await edge.ready();
    return edge;
  }

  get folder(): string {
    return path.join(this.strata.home, '.strata-edge');
  }

  /** Starts the process again, with the files of the one before. */
  async run(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const child = this.strata.start(['edge', '--port', String(this.port), ...this.args], { env });
    this.child = child;
    this.output = '';
    child.stderr?.on('data', (part) => (this.output += part));
    child.stdout?.on('data', (part) => (this.output += part));
    await eventually('the edge listens or ends', () => this.output.includes('strata edge:') || child.exitCode !== null);
    this.origin = `http://127.0.0.1:${this.port}`;
  }

  /** Runs a second edge of the same user to its end. */
  runAnother(args: readonly string[]) {
    return this.strata.run(['edge', ...args]);
  }

  async ready(): Promise<void> {
    await eventually('the edge is ready', async () => (await fetch(`${this.origin}/readyz`)).status === 200);
  }

  get exitCode(): number | null {
    return this.child?.exitCode ?? null;
  }

  /** Resolves when the process has ended. Without a signal, it must end by itself. */
  async end(signal?: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    if (signal) child.kill(signal);
    await ended;
  }

  /** Sends a request below `/api/v1/`. The errors of an edge are not those of the core's contract. */
  async get(authorization: string, target: string, headers: Readonly<Record<string, string>> = {}) {
    return this.send('GET', authorization, target, headers);
  }

  async send(method: string, authorization: string, target: string, headers: Readonly<Record<string, string>> = {}) {
    const response = await fetch(`${this.origin}/api/v1/${target}`, { method, headers: { authorization, ...headers } });
    const text = await response.text();
    const body = text === '' ? null : JSON.parse(text);
    return { status: response.status, headers: Object.fromEntries(response.headers), text, body };
  }

  /** Waits until the file on disk has everything up to now: the edge writes it a second after a confirmation. */
  async saved(): Promise<void> {
    await sleep(SAVED_AFTER_MS);
    await eventually('the snapshot is written', () => fs.existsSync(path.join(this.folder, 'snapshot')));
  }

  async close(): Promise<void> {
    await this.end('SIGKILL');
    await this.core.close();
    this.strata.remove();
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** An organization with the project `shop`: `HOST` and the secret `PASSWORD`, and a VIEWER for the edge. */
export async function createShop(core: RunningCore): Promise<{
  readonly organization: TestOrganization;
  readonly project: Project;
  readonly edgeAuthorization: string;
  readonly effective: string;
}> {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  await setValue(organization, project, 'HOST', 'example.com');
  await setValue(organization, project, 'PASSWORD', 'correct horse', true);
  const edgeAuthorization = await createKey(organization, 'edge');
  return {
    organization,
    project,
    edgeAuthorization,
    effective: `projects/${project.id}/effective/?environment=default`,
  };
}

/** Creates a parameter with a value in `default`. Returns a function that changes the value. */
export async function setValue(
  organization: TestOrganization,
  project: Project,
  name: string,
  text: string,
  secret = false,
): Promise<(next: string) => Promise<void>> {
  const parameter = await organization.parameter({ project, name, secret });
  const value = await organization.value({ parameter, internal_value: text });
  return async (next) => {
    const { status } = await organization.owner.patch(value.url, { internal_value: next });
    if (status !== 200) throw new Error(`The value was not changed: ${status}`);
  };
}

/** Creates a service account that may only read. Returns its header. */
export async function createKey(
  organization: TestOrganization,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { status, body } = await organization.owner.post<{ apikey: string }>('serviceaccounts/', {
    ...{ name, role: 'VIEWER' },
    ...input,
  });
  if (status !== 201) throw new Error(`The account was not created: ${JSON.stringify(body)}`);
  return `Api-Key ${body.apikey}`;
}
