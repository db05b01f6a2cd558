import { type Installation, requestCore } from './journey.ts';

/** A value that one writer increments. */
interface Counter {
  readonly name: string;
  readonly value: string;
  acknowledged: number;
}

/** Clients that write and read continuously, and the writes that were acknowledged. */
export class Traffic {
  readonly failures: string[] = [];
  reads = 0;
  private isOver = false;
  private cursor = '';
  private received = 0;
  private readonly loops: Promise<void>[] = [];

  private constructor(
    private readonly installation: Installation,
    private readonly project: string,
    private readonly counters: readonly Counter[],
  ) {}

  /** Starts writers, readers and a reader of the feed. */
  static async start(installation: Installation, writers: number): Promise<Traffic> {
    const { id } = await requestCore<{ id: string }>(installation, 'projects/', { name: 'Traffic' });
    const environments = await requestCore<{ results: { url: string }[] }>(installation, 'environments/?name=default');
    const counters: Counter[] = [];
    for (let index = 0; index < writers; index += 1) {
      const name = `COUNTER_${index}`;
      const parameter = await requestCore<{ id: string }>(installation, `projects/${id}/parameters/`, { name });
      const target = `projects/${id}/parameters/${parameter.id}/values/`;
      const environment = environments.results[0]?.url;
      const value = await requestCore<{ id: string }>(installation, target, { environment, internal_value: '0' });
      counters.push({ name, value: `${target}${value.id}/`, acknowledged: 0 });
    }
    const traffic = new Traffic(installation, id, counters);
    traffic.cursor = (await requestCore<{ cursor: string }>(installation, 'events/?after=now')).cursor;
    for (const counter of counters) traffic.loop(() => traffic.write(counter));
    traffic.loop(() => traffic.read());
    traffic.loop(() => traffic.follow());
    return traffic;
  }

  get acknowledged(): number {
    return this.counters.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  /** Returns the number that each writer has acknowledged, by the name of its parameter. */
  acknowledgedByName(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counters.map(({ name, acknowledged }) => [name, acknowledged]));
  }

  /** Returns what the installation contains of the writes that it acknowledged, once all writers have stopped. */
  async end(): Promise<{ readonly lost: readonly string[]; readonly events: number }> {
    this.isOver = true;
    await Promise.all(this.loops);
    while (await this.follow());
    const values = await this.effective();
    const lostCounters = this.counters.filter(({ name, acknowledged }) => values[name] !== String(acknowledged));
    return {
      lost: lostCounters.map(({ name, acknowledged }) => `${name}: ${values[name]} of ${acknowledged}`),
      events: this.received,
    };
  }

  private loop(step: () => Promise<unknown>): void {
    const run = async () => {
      while (!this.isOver) await step().catch((error: Error) => this.failures.push(error.message));
    };
    this.loops.push(run());
  }

  private async write(counter: Counter): Promise<void> {
    const next = counter.acknowledged + 1;
    await requestCore(this.installation, counter.value, { internal_value: String(next) }, 'PATCH');
    counter.acknowledged = next;
  }

  /** Reads a state that must contain everything that was acknowledged before the request. */
  private async read(): Promise<void> {
    const before = this.counters.map(({ name, acknowledged }) => [name, acknowledged] as const);
    const values = await this.effective();
    this.reads += 1;
    for (const [name, acknowledgedCount] of before)
      if (Number(values[name]) < acknowledgedCount)
        this.failures.push(`${name} read ${values[name]} after ${acknowledgedCount}`);
  }

  /** Counts the next events of the feed. Returns whether there may be more. */
  private async follow(): Promise<boolean> {
    const target = `events/?types=value_updated&limit=500&after=${this.cursor}`;
    const page = await requestCore<{ results: object[]; cursor: string; more: boolean }>(this.installation, target);
    this.received += page.results.length;
    this.cursor = page.cursor;
    return page.more || page.results.length > 0;
  }

  private async effective(): Promise<Readonly<Record<string, string>>> {
    const target = `projects/${this.project}/effective/?environment=default`;
    return (await requestCore<{ values: Record<string, string> }>(this.installation, target)).values;
  }
}
