import { randomBytes } from 'node:crypto';
import type { Effective, Parameter, Project, Rotation, RotationCreate, Value } from '@strata/contract';
import type { RawClient, TestOrganization } from '@strata/testkit';
import pg from 'pg';
import type { RunSettings } from '../features/integrations/runs/run-settings.ts';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from './core-in-process.ts';
import { sendReport } from './instances.ts';
import { query } from './query.ts';
import { waitUntil } from './until.ts';

/** The password of the role that Strata connects with. No response and no log may contain it. */
export const ADMIN_PASSWORD = `canary-${randomBytes(12).toString('hex')}`;

/** Starts a core that checks rotations often. */
export async function startRotatingCore(settings: Readonly<Record<string, string>> = {}): Promise<CoreInProcess> {
  const core = await startCoreInProcess({ STRATA_PRIVATE_DESTINATIONS: 'true', ...settings });
  const built = await moduleOfCore<typeof import('../features/integrations/runs/run-settings.ts')>(
    './features/integrations/runs/run-settings.js',
  );
  const intervals: Partial<RunSettings> = { rotationCheckMs: 100, retryScale: 0.001 };
  Object.assign(core.core.app.get(built.RunSettings), intervals);
  return core;
}

/** Two roles of a PostgreSQL server, and a role without other rights that may alter them. */
export class RotatedServer {
  private constructor(
    private readonly database: { readonly url: string },
    readonly admin: string,
    readonly first: string,
    readonly second: string,
  ) {}

  static async create(database: { readonly url: string }, firstPassword: string): Promise<RotatedServer> {
    const id = randomBytes(6).toString('hex');
    const server = new RotatedServer(database, `admin_${id}`, `shop_${id}_a`, `shop_${id}_b`);
    const { admin, first, second } = server;
    await server.query(`
      create role ${admin} login createrole password '${ADMIN_PASSWORD}';
      create role ${first} login password '${firstPassword}';
      create role ${second} nologin;
      grant ${first}, ${second} to ${admin} with admin option;`);
    return server;
  }

  async drop(): Promise<void> {
    await this.query(`drop role ${this.first}; drop role ${this.second}; drop role ${this.admin};`);
  }

  query<Row extends object>(text: string): Promise<Row[]> {
    return query<Row>({ database: this.database }, text);
  }

  get settings(): NonNullable<RotationCreate['postgresql']> {
    const { hostname: host, port, pathname } = new URL(this.database.url);
    const [roles, database] = [[this.first, this.second], decodeURIComponent(pathname.slice(1))];
    return { host, port: Number(port), database, user: this.admin, roles, tls: false, ca: null };
  }

  /** Returns the address of a database as a program would configure it. */
  address(role: string, password: string): string {
    const url = new URL(this.database.url);
    url.username = role;
    url.password = password;
    return url.href;
  }
}

/** Opens a session as a program. Throws if the credential does not work. */
export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export async function canConnect(connectionString: string): Promise<boolean> {
  try {
    await (await connect(connectionString)).end();
    return true;
  } catch {
    return false;
  }
}

/** A secret with the address of a database, and its rotation. */
export class RotatedSecret {
  private constructor(
    readonly organization: TestOrganization,
    readonly server: RotatedServer,
    readonly project: Project,
    readonly parameter: Parameter,
    readonly value: Value,
    readonly rotation: Rotation,
    /** The address before the first rotation. */
    readonly firstAddress: string,
  ) {}

  static async create(
    { database }: { readonly database: { readonly url: string } },
    organization: TestOrganization,
    input: Partial<RotationCreate> = {},
  ): Promise<RotatedSecret> {
    const password = randomBytes(12).toString('hex');
    const server = await RotatedServer.create(database, password);
    const address = server.address(server.first, password);
    const project = await organization.project({ name: 'shop' });
    const parameter = await organization.parameter({ project, name: 'DATABASE', secret: true });
    const environment = await organization.environmentNamed('production');
    const value = await organization.value({ parameter, environment, internal_value: address });
    const { body, status, text } = await organization.owner.post<Rotation>('rotations/', {
      name: 'database of the shop',
      parameter: parameter.url,
      environment: environment.url,
      rotator: 'postgresql',
      postgresql: server.settings,
      credential: ADMIN_PASSWORD,
      grace_seconds: 0,
      ...input,
    });
    if (status !== 201) throw new Error(`${status} ${text}`);
    return new RotatedSecret(organization, server, project, parameter, value, body, address);
  }

  /** Returns the published text. */
  async text(): Promise<string> {
    return (await this.organization.owner.get<Value>(this.value.url)).body.value ?? '';
  }

  async read(client: RawClient = this.organization.owner): Promise<Rotation> {
    return (await client.get<Rotation>(this.rotation.url)).body;
  }

  async act(action: string, body: object = {}) {
    return this.organization.owner.post<Rotation>(`${this.rotation.url}${action}/`, body);
  }

  /** Waits until the rotation satisfies a condition. */
  until(condition: (rotation: Rotation) => boolean): Promise<Rotation> {
    return waitUntil(() => this.read(), condition);
  }

  /** Rotates, and waits until the second role is published. */
  async publish(): Promise<Rotation> {
    await this.act('rotate');
    return this.until(({ stage, published_credential: name }) => stage !== 'publishing' && name === this.server.second);
  }

  /** Rotates, and waits until the rotation has ended or needs a person. */
  async rotate(): Promise<Rotation> {
    await this.act('rotate');
    return this.until(({ state }) => state === 'idle' || state === 'stopped');
  }

  async configuration(client: RawClient = this.organization.owner, project = this.project): Promise<Effective> {
    return (await client.get<Effective>(`${project.url}effective/?environment=production`)).body;
  }

  /** Reports as an instance that runs a configuration, or else the present one. */
  async report(
    instance: string,
    client: RawClient = this.organization.owner,
    running?: Effective,
    project = this.project,
  ): Promise<void> {
    const body = running ?? (await this.configuration(client, project));
    const scope = { project: project.id, environment: 'production' };
    const { status, text } = await sendReport(client, scope, instance, { ...body, reveal: true });
    if (status !== 204) throw new Error(text);
  }
}
