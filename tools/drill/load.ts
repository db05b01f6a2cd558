import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../libs/sdk/src/index.ts';
import { type Installation, requestCore } from '../acceptance/journey.ts';
import { Attempts } from './attempts.ts';
import { connectProgram, type Follower, followEvents, subscribe } from './followers.ts';

const WRITERS = 6;
const READERS = 3;
const FOLLOWERS = 5;
/** The pause of a client between two requests, in milliseconds. Measures of latency need idle time. */
const PAUSE_MS = 10;
/** How long followers may take to receive the last change, in milliseconds. */
const CATCH_UP_MS = 20_000;

/** A value that one writer increments. */
interface Counter {
  readonly name: string;
  readonly path: string;
  acknowledged: number;
}

/**
 * Writers, readers, streams, subscribers and programs that use an installation at once. Each writer increments a value of
 * its own with an idempotency key for each step, so that every step has exactly one effect, however often it was sent.
 */
export class Load {
  readonly attempts = new Attempts();
  /** Contradictions of the promises: reads older than an acknowledged write, lost or repeated events. */
  readonly problems: string[] = [];
  private isOver = false;
  private readonly loops: Promise<void>[] = [];
  private followers: readonly Follower[] = [];
  private programs: readonly Config[] = [];

  private constructor(
    private readonly installation: Installation,
    private readonly project: string,
    private readonly counters: readonly Counter[],
  ) {}

  static async start(installation: Installation): Promise<Load> {
    const { id } = await requestCore<{ id: string }>(installation, 'projects/', { name: 'Drill' });
    const environments = await requestCore<{ results: { url: string }[] }>(installation, 'environments/?name=default');
    const counters: Counter[] = [];
    for (let index = 0; index < WRITERS; index += 1) {
      const name = `COUNTER_${index}`;
      const parameter = await requestCore<{ id: string }>(installation, `projects/${id}/parameters/`, { name });
      const values = `projects/${id}/parameters/${parameter.id}/values/`;
      const input = { environment: environments.results[0]?.url, internal_value: '0' };
      const value = await requestCore<{ id: string }>(installation, values, input);
      counters.push({ name, path: `${values}${value.id}/`, acknowledged: 0 });
    }
    const load = new Load(installation, id, counters);
    await load.connect();
    return load;
  }

  private async connect(): Promise<void> {
    const { installation, project } = this;
    const { cursor } = await requestCore<{ cursor: string }>(installation, 'events/?after=now');
    this.followers = Array.from({ length: FOLLOWERS }, () => [
      followEvents(installation, cursor),
      subscribe(installation, cursor),
    ]).flat();
    this.programs = await Promise.all(Array.from({ length: FOLLOWERS }, () => connectProgram(installation, project)));
    for (const counter of this.counters) this.loop(() => this.write(counter));
    for (let reader = 0; reader < READERS; reader += 1) {
      this.loop(() => this.read());
      this.loop(() => this.query());
    }
  }

  get acknowledged(): number {
    return this.counters.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** How often each kind of client lost its connection. */
  interruptions(): Readonly<Record<string, number>> {
    const sums: Record<string, number> = {};
    for (const { received } of this.followers)
      sums[received.client] = (sums[received.client] ?? 0) + received.interruptions;
    return sums;
  }

  /** Stops all clients, and adds what they lost or received twice to the problems. */
  async stop(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await Promise.all(this.loops);
    const until = performance.now() + CATCH_UP_MS;
    while (!this.isCaughtUp() && performance.now() < until) await sleep(PAUSE_MS);
    await Promise.all(this.followers.map((follower) => follower.stop()));
    for (const { received } of this.followers) this.checkEvents(received.client, received.revisions);
    for (const program of this.programs) {
      this.checkValues('program', program.all());
      await program.close();
    }
    this.checkValues('effective values', await this.effective());
  }

  private isCaughtUp(): boolean {
    const isCurrent = (values: Readonly<Record<string, string | null>>) =>
      this.counters.every(({ name, acknowledged }) => values[name] === String(acknowledged));
    return (
      this.followers.every(({ received }) => received.revisions.length >= this.acknowledged) &&
      this.programs.every((program) => isCurrent(program.all()))
    );
  }

  private checkEvents(client: string, revisions: readonly number[]): void {
    if (revisions.length !== this.acknowledged)
      this.problems.push(`${client}: ${revisions.length} events of ${this.acknowledged} writes`);
    const isOrdered = revisions.every((revision, index) => revision > (revisions[index - 1] ?? 0));
    if (!isOrdered) this.problems.push(`${client}: events are repeated or out of order`);
  }

  private checkValues(reader: string, values: Readonly<Record<string, string | null>>): void {
    for (const { name, acknowledged } of this.counters)
      if (values[name] !== String(acknowledged))
        this.problems.push(`${reader}: ${name} is ${values[name]}, ${acknowledged} was acknowledged`);
  }

  private loop(step: () => Promise<unknown>): void {
    const run = async () => {
      while (!this.isOver) {
        await step();
        await sleep(PAUSE_MS);
      }
    };
    this.loops.push(run());
  }

  private async write(counter: Counter): Promise<void> {
    const next = counter.acknowledged + 1;
    const body = JSON.stringify({ internal_value: String(next) });
    const headers = { 'idempotency-key': randomUUID() };
    const target = new URL(counter.path, `${this.installation.core}/api/v1/`);
    const writeAttempt = await this.attempts.send('write', (signal) =>
      this.fetch(target, { method: 'PATCH', body, headers, signal }),
    );
    if (writeAttempt !== null) counter.acknowledged = next;
  }

  private async effective(): Promise<Readonly<Record<string, string>>> {
    const path = `projects/${this.project}/effective/?environment=default`;
    const target = new URL(path, `${this.installation.core}/api/v1/`);
    const body = await this.attempts.send<{ values: Record<string, string> }>('read', (signal) =>
      this.fetch(target, { signal }),
    );
    return body?.values ?? {};
  }

  /** Reads values that must contain everything that was acknowledged before the request. */
  private async read(): Promise<void> {
    const before = this.counters.map(({ name, acknowledged }) => [name, acknowledged] as const);
    const values = await this.effective();
    for (const [name, acknowledgedCount] of before)
      if (Number(values[name]) < acknowledgedCount)
        this.problems.push(`${name} is ${values[name]} after ${acknowledgedCount} was acknowledged`);
  }

  private async query(): Promise<void> {
    const body = JSON.stringify({ query: '{ projects(first: 5) { edges { node { name } } } }' });
    const target = `${this.installation.gateway}/graphql`;
    await this.attempts.send('query', async (signal) => {
      const response = await this.fetch(target, { method: 'POST', body, signal });
      const text = await response.text();
      // A gateway reports an unreachable core as an error of the field, with status 200.
      const status = text.includes('"errors"') ? 503 : response.status;
      return new Response(text, { status });
    });
  }

  private fetch(target: URL | string, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Api-Key ${this.installation.apiKey}`, 'content-type': 'application/json' };
    return fetch(target, { ...init, headers: { ...headers, ...(init.headers as Record<string, string>) } });
  }
}
