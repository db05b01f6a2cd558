import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@strata/processes';
import pg from 'pg';
import { SilentProxy } from '../../apps/core/src/testing/silent-proxy.ts';
import { listDescendants, signalAll } from '../../apps/e2e/src/process-tree.ts';
import { eventually } from '../../apps/e2e/src/processes.ts';
import { Guide } from '../testing/guide.ts';

const SUPERUSER = { user: 'postgres', password: 'change-this-1' };
const OWNER = { user: 'strata', password: 'drill' };
const MACHINES = 3;
const QUERY_MS_MAX = 2_000;
/** The pause before a process that ended is started again, in milliseconds. */
const RESTART_MS = 1_000;

/** The user that runs the processes of a machine: `nobody` instead of root, because PostgreSQL does not run as root. */
export const IDENTITY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The programs that a cluster consists of. */
export interface ClusterPrograms {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
}

/** A member as Patroni reports it. */
interface ReportedMember {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** The processes of one machine: etcd, Patroni, and PostgreSQL, which Patroni starts. */
export interface Machine {
  readonly name: string;
  readonly folder: string;
  readonly ports: { readonly etcd: number; readonly peer: number; readonly postgres: number; readonly patroni: number };
  /** The other machines reach PostgreSQL and Patroni through these. HAProxy and the cores connect directly. */
  readonly links: readonly [postgres: SilentProxy, patroni: SilentProxy];
  isOn: boolean;
  etcd: ChildProcess | null;
  patroni: ChildProcess | null;
}

/** Three machines with PostgreSQL under Patroni on this one, with HAProxy in front, as the guide configures them. */
export class PatroniCluster {
  readonly machines: Machine[] = [];
  private proxy: ChildProcess | null = null;
  private proxyPort = 0;

  constructor(
    private readonly folder: string,
    private readonly programs: ClusterPrograms,
    /** Whether the primary server never writes without a standby. */
    private readonly isStrict: boolean,
  ) {}

  /** The address of the primary server for cores. */
  get databaseUrl(): string {
    return `postgres://${OWNER.user}:${OWNER.password}@127.0.0.1:${this.proxyPort}/strata`;
  }

  async start(): Promise<void> {
    fs.chmodSync(this.folder, 0o711);
    for (let index = 1; index <= MACHINES; index += 1) this.machines.push(await this.createMachine(`node${index}`));
    for (const machine of this.machines) this.startMachine(machine);
    this.proxyPort = await findFreePort();
    const configuration = path.join(this.folder, 'haproxy.cfg');
    fs.writeFileSync(configuration, this.proxyConfiguration());
    this.proxy = spawn(this.programs.haproxy, ['-db', '-f', configuration], { stdio: 'ignore' });
    await this.untilWhole();
    const primary = await this.primary();
    await this.query(primary, `create role ${OWNER.user} login createrole password '${OWNER.password}'`);
    await this.query(primary, `create database strata owner ${OWNER.user}`);
  }

  /** Ends all processes at once. */
  async stop(): Promise<void> {
    this.proxy?.kill('SIGKILL');
    for (const machine of this.machines) {
      this.lose(machine);
      for (const link of machine.links) await link.close();
    }
  }

  /** Starts etcd and Patroni of a machine, as its boot would. */
  startMachine(machine: Machine): void {
    machine.isOn = true;
    machine.etcd ??= this.spawnOn(machine, 'etcd', this.etcdArguments(machine));
    machine.patroni ??= this.spawnOn(machine, 'patroni', [this.patroniFile(machine)]);
  }

  /** Kills all processes of a machine at once, like a power failure. */
  lose(machine: Machine): void {
    const { etcd } = machine;
    this.loseServer(machine);
    machine.etcd = null;
    if (etcd?.pid) signalAll(listDescendants(etcd.pid), 'SIGKILL');
  }

  /** Kills Patroni and PostgreSQL of a machine, while its etcd continues. */
  loseServer(machine: Machine): void {
    for (const root of [machine.patroni?.pid, this.postmaster(machine)])
      if (root) signalAll(listDescendants(root), 'SIGKILL');
    Object.assign(machine, { isOn: false, patroni: null });
  }

  /** Kills the main process of PostgreSQL; the others end when they notice. */
  killPostgres(machine: Machine): void {
    signalAll(
      [this.postmaster(machine)].flatMap((pid) => pid ?? []),
      'SIGKILL',
    );
  }

  /** Stops or continues the processes of PostgreSQL. */
  signalPostgres(machine: Machine, name: 'SIGSTOP' | 'SIGCONT'): void {
    const postmaster = this.postmaster(machine);
    if (postmaster !== null) signalAll(listDescendants(postmaster), name);
  }

  /**
   * Separates a machine from the others: its etcd is stopped, Patroni connects to no other one, and its links pass no
   * data. The cores still reach it.
   */
  separate(machine: Machine): void {
    machine.etcd?.kill('SIGSTOP');
    for (const link of machine.links) link.silence();
  }

  join(machine: Machine): void {
    machine.etcd?.kill('SIGCONT');
    for (const link of machine.links) link.resume();
  }

  switchOver(leader: Machine, candidate: Machine): Promise<void> {
    return postTo(leader, 'switchover', { leader: leader.name, candidate: candidate.name });
  }

  /** Makes a machine the primary server although it may lack confirmed commits, as an operator may decide. */
  promote(candidate: Machine): Promise<void> {
    return postTo(candidate, 'failover', { candidate: candidate.name });
  }

  /** Removes the data of PostgreSQL of a lost machine, as if its disk were lost. */
  removeData({ folder }: Machine): void {
    fs.rmSync(path.join(folder, 'data'), { recursive: true, force: true });
  }

  /** Returns the machine that Patroni says is the primary server. Waits until there is one. */
  async primary(): Promise<Machine> {
    let current: Machine | undefined;
    await eventually('there is a primary server', async () => {
      current = (await this.listPrimaries())[0];
      return current !== undefined;
    });
    return current as Machine;
  }

  /** Returns the machines whose PostgreSQL Patroni offers to writers. */
  async listPrimaries(): Promise<readonly Machine[]> {
    const statuses = await Promise.all(this.machines.map((machine) => fetchJson(`${apiAddress(machine)}/primary`)));
    return this.machines.filter((_, index) => statuses[index]?.ok);
  }

  async standbys(): Promise<readonly Machine[]> {
    const primary = await this.primary();
    return this.machines.filter((machine) => machine !== primary);
  }

  /** Waits until both standbys follow the primary server, and a commit waits for one of them. */
  async untilWhole(): Promise<void> {
    await eventually('the cluster is whole', async () => {
      const [reply] = (
        await Promise.all(this.machines.map((machine) => fetchJson(`${apiAddress(machine)}/cluster`)))
      ).filter((answer) => answer?.ok);
      const { members = [] } = (reply?.body ?? {}) as { members?: readonly ReportedMember[] };
      const standbys = members.filter(({ role, state }) => role === 'quorum_standby' && state === 'streaming');
      return standbys.length === MACHINES - 1 && members.some(({ role }) => role === 'leader');
    });
  }

  /** Runs a statement on the PostgreSQL of a machine, as its superuser. */
  async query<Row extends object>(machine: Machine, text: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({
      ...SUPERUSER,
      ...{ host: '127.0.0.1', port: machine.ports.postgres, database },
      ...{ connectionTimeoutMillis: QUERY_MS_MAX, query_timeout: QUERY_MS_MAX * 30 },
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  superuserUrl(machine: Machine): string {
    return `postgres://${SUPERUSER.user}:${SUPERUSER.password}@127.0.0.1:${machine.ports.postgres}/strata`;
  }

  /** Returns the process id of the main process of PostgreSQL; null if it has none. */
  private postmaster({ folder }: Machine): number | null {
    const file = path.join(folder, 'data', 'postmaster.pid');
    const [pid] = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
    return Number(pid) || null;
  }

  private async createMachine(name: string): Promise<Machine> {
    const folder = path.join(this.folder, name);
    fs.mkdirSync(folder, { mode: 0o700 });
    const { uid, gid } = IDENTITY;
    if (uid !== undefined && gid !== undefined) fs.chownSync(folder, uid, gid);
    const [etcd = 0, peer = 0, postgres = 0, patroni = 0] = await Promise.all([0, 1, 2, 3].map(() => findFreePort()));
    const links = [
      await SilentProxy.before(`http://127.0.0.1:${postgres}`),
      await SilentProxy.before(`http://127.0.0.1:${patroni}`),
    ] as const;
    const ports = { etcd, peer, postgres, patroni };
    return { name, folder, ports, links, isOn: false, etcd: null, patroni: null };
  }

  /** Starts a process again when it ends, as a supervisor does. Patroni ends while its previous run still seems to exist. */
  private spawnOn(machine: Machine, service: 'etcd' | 'patroni', args: readonly string[]): ChildProcess {
    const { folder } = machine;
    const output = fs.openSync(path.join(folder, `${service}.log`), 'a');
    const child = spawn(this.programs[service], args, {
      ...IDENTITY,
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', output, output],
    });
    fs.closeSync(output);
    child.once('exit', () => {
      if (machine[service] !== child) return;
      machine[service] = null;
      setTimeout(() => machine.isOn && this.startMachine(machine), RESTART_MS);
    });
    return child;
  }

  private etcdArguments({ name, folder, ports }: Machine): readonly string[] {
    const [client, peer] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.peer}`];
    const members = this.machines.map((machine) => `${machine.name}=http://127.0.0.1:${machine.ports.peer}`);
    return [
      ...['--name', name, '--data-dir', path.join(folder, 'etcd'), '--initial-cluster', members.join(',')],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--heartbeat-interval', '200', '--election-timeout', '2000', '--log-level', 'error'],
    ];
  }

  /** Writes the configuration of the guide with the addresses of a machine, and returns its path. */
  private patroniFile({ name, folder, ports, links }: Machine): string {
    const [postgres, patroni] = links.map(({ url }) => new URL(url).host);
    const text = guideBlock('Configure Patroni', 'yaml')
      .replace('name: node1', `name: ${name}`)
      .replace('synchronous_mode: quorum', `synchronous_mode: quorum\n    synchronous_mode_strict: ${this.isStrict}`)
      .replace('0.0.0.0:8008', `127.0.0.1:${ports.patroni}`)
      .replace('10.0.0.1:8008', patroni ?? '')
      .replace(/hosts: .*/, `host: 127.0.0.1:${ports.etcd}\n  use_proxies: true`)
      .replace('0.0.0.0:5432', `127.0.0.1:${ports.postgres}`)
      .replace('10.0.0.1:5432', postgres ?? '')
      .replace('wal_log_hints: "on"', `wal_log_hints: "on"\n        unix_socket_directories: ""`)
      .replace(/data_dir: .*/, `data_dir: ${path.join(folder, 'data')}`);
    const file = path.join(folder, 'patroni.yml');
    fs.writeFileSync(file, text);
    return file;
  }

  private proxyConfiguration(): string {
    let text = guideBlock('Route the cores to the primary server', 'haproxy');
    for (const [index, { ports }] of this.machines.entries())
      text = text.replace(
        `10.0.0.${index + 1}:5432 check port 8008`,
        `127.0.0.1:${ports.postgres} check port ${ports.patroni}`,
      );
    return text.replace('127.0.0.1:5000', `127.0.0.1:${this.proxyPort}`);
  }
}

function guideBlock(heading: string, language: string): string {
  const guide = new Guide('high-availability');
  guide.remove();
  return guide.blocks(heading, language)[0] ?? '';
}

const apiAddress = ({ ports }: Machine): string => `http://127.0.0.1:${ports.patroni}`;

async function postTo(machine: Machine, action: string, input: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${apiAddress(machine)}/${action}`, {
    method: 'POST',
    body: JSON.stringify(input),
    headers,
  });
  if (!response.ok) throw new Error(`${action}: ${response.status} ${await response.text()}`);
}

async function fetchJson(url: string): Promise<{ readonly ok: boolean; readonly body: unknown } | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(QUERY_MS_MAX) });
    return { ok: response.ok, body: await response.json() };
  } catch {
    return null;
  }
}
