import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Installation, requestCore } from '../acceptance/journey.ts';

const PARAMETERS = 4;
const WRITERS_PER_PARAMETER = 2;
/** The pause of a client between two requests, in milliseconds. */
const PAUSE_MS = 20;
/** The pause after an error, in milliseconds. */
const ERROR_PAUSE_MS = 200;
const ATTEMPT_MS_MAX = 60_000;

/** The outcome that the latest response to a write reported. Without a response, it is unknown. */
type Outcome = 'stored' | 'rejected' | 'unknown';

/** A write with its own idempotency key and its own text, sent again with the same key while its outcome is unknown. */
export interface KeyedWrite {
  readonly text: string;
  readonly path: string;
  readonly core: Installation;
  readonly key: string;
  outcome: Outcome;
  /** The time of the last response, from `performance.now()`. */
  endedAt: number;
  /** The errors of the attempts. */
  readonly failures: string[];
}

interface Read {
  readonly path: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly text: string;
}

/** A text that a value had, with the revisions that stored it. */
export interface TextRevisions {
  readonly text: string;
  readonly revisions: readonly number[];
}

/**
 * Writers that share values, so that a repeated effect of an earlier write becomes visible as a second version with its
 * text, and readers of these values.
 */
export class KeyedWriters {
  readonly writes: KeyedWrite[] = [];
  readonly problems: string[] = [];
  private readonly reads: Read[] = [];
  private readonly readFailures: string[] = [];
  private readonly loops: Promise<void>[] = [];
  private isOver = false;
  private counter = 0;

  private constructor(
    private readonly cores: readonly Installation[],
    private readonly paths: readonly string[],
  ) {}

  static async start(cores: readonly Installation[]): Promise<KeyedWriters> {
    const [installation] = cores as readonly [Installation, ...Installation[]];
    const { id } = await requestCore<{ id: string }>(installation, 'projects/', { name: 'Failover' });
    const environments = await requestCore<{ results: { url: string }[] }>(installation, 'environments/?name=default');
    const paths: string[] = [];
    for (let index = 0; index < PARAMETERS; index += 1) {
      const parameter = await requestCore<{ id: string }>(installation, `projects/${id}/parameters/`, {
        name: `P${index}`,
      });
      const values = `projects/${id}/parameters/${parameter.id}/values/`;
      const input = { environment: environments.results[0]?.url, internal_value: 'initial' };
      paths.push(`${values}${(await requestCore<{ id: string }>(installation, values, input)).id}/`);
    }
    const writers = new KeyedWriters(cores, paths);
    for (const [index, path] of paths.entries()) {
      for (let writer = 0; writer < WRITERS_PER_PARAMETER; writer += 1)
        writers.loop(() => writers.write(path, writers.chooseCore(index + writer)));
      writers.loop(() => writers.read(path, writers.chooseCore(index)));
    }
    return writers;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.loops);
  }

  countStored(from = 0): number {
    return this.writes.slice(from).filter(({ outcome }) => outcome === 'stored').length;
  }

  /** Returns the longest time without an acknowledgement since `startedAt`, in milliseconds. */
  longestPause(from: number, startedAt: number): number {
    const times = this.writes
      .slice(from)
      .filter(({ outcome, endedAt }) => outcome === 'stored' && endedAt >= startedAt)
      .map(({ endedAt }) => endedAt)
      .sort((a, b) => a - b);
    return Math.max(0, ...times.map((time, index) => time - (times[index - 1] ?? startedAt)));
  }

  takeReadFailures(): readonly string[] {
    return this.readFailures.splice(0);
  }

  /**
   * Returns how the stored texts contradict the responses before `until`, when the texts were read: lost, repeated and
   * rejected writes, and reads of other states.
   */
  contradictions(storedTexts: readonly TextRevisions[], until: number): string[] {
    const revisions = new Map(storedTexts.map(({ text, revisions: list }) => [text, list]));
    const problems = [...this.problems];
    for (const { text, outcome, failures } of this.writes.filter(({ endedAt }) => endedAt > 0 && endedAt < until)) {
      const count = revisions.get(text)?.length ?? 0;
      const failureText = failures.length > 0 ? ` after ${failures.join(', ')}` : '';
      if (count > 1) problems.push(`${text} was stored ${count} times${failureText}`);
      if (outcome === 'stored' && count === 0) problems.push(`${text} was acknowledged and is lost${failureText}`);
      if (outcome === 'rejected' && count > 0) problems.push(`${text} was rejected and is stored${failureText}`);
    }
    return [...problems, ...this.staleReads(revisions, until)];
  }

  /** A read returns the last acknowledged write or a later one, and nothing that the ledger does not contain. */
  private staleReads(revisions: ReadonlyMap<string, readonly number[]>, until: number): string[] {
    const problems: string[] = [];
    for (const path of this.paths) {
      const acknowledged = this.writes
        .filter((write) => write.path === path && write.outcome === 'stored')
        .map(({ text, endedAt }) => ({ endedAt, revision: Math.max(...(revisions.get(text) ?? [0])) }))
        .sort((a, b) => a.endedAt - b.endedAt);
      const reads = this.reads
        .filter((read) => read.path === path && read.endedAt < until)
        .sort((a, b) => a.startedAt - b.startedAt);
      let [latest, next] = [0, 0];
      for (const { startedAt, text } of reads) {
        for (let write = acknowledged[next]; write && write.endedAt < startedAt; write = acknowledged[next]) {
          latest = Math.max(latest, write.revision);
          next += 1;
        }
        const revision = revisions.get(text)?.[0];
        if (revision === undefined) problems.push(`a read returned ${text}, which is not in the ledger`);
        else if (revision < latest)
          problems.push(`a read returned revision ${revision} after ${latest} was acknowledged`);
      }
    }
    return problems;
  }

  /** Sends acknowledged writes again with their keys. */
  async replay(writes: readonly KeyedWrite[]): Promise<void> {
    for (const write of writes) {
      const { status, code } = await this.send(write);
      if (status !== 200) this.problems.push(`${write.text} was sent again: ${status} ${code}`);
    }
  }

  private chooseCore(index: number): Installation {
    return this.cores[index % this.cores.length] as Installation;
  }

  private loop(step: () => Promise<number>): void {
    const run = async () => {
      while (!this.isOver) await sleep(await step());
    };
    this.loops.push(run());
  }

  /** Returns the pause before the next write. */
  private async write(path: string, core: Installation): Promise<number> {
    this.counter += 1;
    const write: KeyedWrite = {
      ...{ text: `write-${this.counter}`, path, core, key: randomUUID() },
      ...{ outcome: 'rejected', endedAt: 0, failures: [] },
    };
    this.writes.push(write);
    do {
      const { status, code } = await this.send(write);
      write.endedAt = performance.now();
      if (status === 200) write.outcome = 'stored';
      else {
        write.failures.push(`${status} ${code}`);
        if (status === 0 || code === 'outcome_unknown') write.outcome = 'unknown';
        else if (status !== 503) this.problems.push(`${write.text}: ${status} ${code}`);
        await sleep(ERROR_PAUSE_MS);
      }
    } while (write.outcome === 'unknown' && !this.isOver);
    return write.outcome === 'stored' ? PAUSE_MS : 0;
  }

  private async read(path: string, core: Installation): Promise<number> {
    const startedAt = performance.now();
    const { status, code, text } = await this.request(core, path, { method: 'GET' });
    if (status === 200) {
      const { internal_value: readText } = JSON.parse(text) as { internal_value: string };
      this.reads.push({ path, startedAt, endedAt: performance.now(), text: readText });
      return PAUSE_MS;
    }
    this.readFailures.push(`${status} ${code}`);
    if (status !== 503) this.problems.push(`a read: ${status} ${code}`);
    return ERROR_PAUSE_MS;
  }

  private send({ core, path, text, key }: KeyedWrite) {
    const body = JSON.stringify({ internal_value: text });
    return this.request(core, path, { method: 'PATCH', body, headers: { 'idempotency-key': key } });
  }

  /** Returns status 0 if there was no response. */
  private async request({ core, apiKey }: Installation, path: string, init: RequestInit) {
    const headers = { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' };
    try {
      const response = await fetch(new URL(path, `${core}/api/v1/`), {
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string>) },
        signal: AbortSignal.timeout(ATTEMPT_MS_MAX),
      });
      const text = await response.text();
      const code = response.headers.get('x-error-code') ?? '';
      if (response.status === 503 && response.headers.get('retry-after') === null)
        this.problems.push(`503 ${code} without Retry-After`);
      return { status: response.status, code, text };
    } catch (error) {
      return { status: 0, code: String((error as Error).cause ?? error), text: '' };
    }
  }
}
