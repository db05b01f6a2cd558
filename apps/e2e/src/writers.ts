import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Parameter, Project, Value } from '@strata/contract';
import type { RawClient, Reply, TestOrganization } from '@strata/testkit';

/**
 * The outcome of a write. `rejected`: the response states that nothing was stored. `unknown`: the response does not state whether the write
 * was stored.
 */
type Outcome = 'acknowledged' | 'rejected' | 'unknown';

interface Attempt {
  readonly outcome: Outcome;
  /** The name of the parameter, or the text of the value. */
  readonly what: string;
}

const BREATH_MS = 50;

/**
 * A client that increases one value until it is stopped, and creates parameters unless it only changes values. It records
 * the outcome of every write.
 */
class Writer {
  readonly attempts: Attempt[] = [];
  readonly counted: Attempt[] = [];
  readonly impossible: string[] = [];

  constructor(
    private readonly client: RawClient,
    private readonly project: Project,
    private readonly value: Value,
    private readonly name: string,
    private readonly onlyChanges: boolean,
  ) {}

  async work(isOver: () => boolean): Promise<void> {
    for (let step = 1; !isOver(); step += 1) {
      const name = `${this.name}-${step}`;
      if (!this.onlyChanges)
        this.attempts.push(await this.attempt(name, this.client.post(`${this.project.url}parameters/`, { name })));
      const text = String(step);
      this.counted.push(await this.attempt(text, this.client.patch(this.value.url, { internal_value: text })));
    }
  }

  /** Returns the outcomes that contradict the database. */
  async broken(storedNames: ReadonlySet<string>, client = this.client): Promise<string[]> {
    const { body } = await client.get<Value>(this.value.url);
    const lastIndex = this.counted.findLastIndex(({ outcome }) => outcome === 'acknowledged');
    const possible = this.counted
      .filter(({ outcome }, index) => index === lastIndex || (index > lastIndex && outcome === 'unknown'))
      .map(({ what }) => what);
    return [
      ...this.impossible,
      ...this.attempts
        .filter(({ outcome, what }) => outcome === 'acknowledged' && !storedNames.has(what))
        .map(({ what }) => `${what} was acknowledged and is not there`),
      ...this.attempts
        .filter(({ outcome, what }) => outcome === 'rejected' && storedNames.has(what))
        .map(({ what }) => `${what} was rejected and is there`),
      ...(lastIndex < 0 || possible.includes(String(body.value)) ? [] : [`${body.value} is not one of ${possible}`]),
    ];
  }

  private async attempt(description: string, replyPromise: Promise<Reply>): Promise<Attempt> {
    const outcome = await replyPromise.then(
      (response) => this.parseOutcome(description, response),
      (error: Error & { code?: string }) => {
        if (error.name === 'ContractViolation') this.impossible.push(`${description}: ${error.message}`);
        return error.code === 'ECONNREFUSED' ? 'rejected' : 'unknown';
      },
    );
    if (outcome !== 'acknowledged') await sleep(BREATH_MS);
    return { outcome, what: description };
  }

  private parseOutcome(description: string, { status, headers, text }: Reply): Outcome {
    if (status < 300) return 'acknowledged';
    if (status !== 503) this.impossible.push(`${description}: ${status} ${text}`);
    return headers['x-error-code'] === 'outcome_unknown' ? 'unknown' : 'rejected';
  }
}

/** Several clients in several organizations that write at the same time until they are stopped. */
export class Writers {
  private isOver = false;
  private readonly writers: Writer[] = [];
  private readonly projects: { project: Project; client: RawClient }[] = [];
  private working: Promise<unknown> = Promise.resolve();

  /** In the last organization, all writes are changes of values, which the core writes at once. */
  static async begin(organizations: readonly TestOrganization[], count: number): Promise<Writers> {
    const writers = new Writers();
    for (const [position, organization] of organizations.entries()) {
      const client = organization.as('CONTRIB');
      const project = await organization.project();
      const onlyChanges = position > 0 && position === organizations.length - 1;
      writers.projects.push({ project, client });
      for (let n = position; n < count; n += organizations.length) {
        const parameter = await organization.parameter({ project });
        const value = await organization.value({ parameter, internal_value: '0' });
        writers.writers.push(new Writer(client, project, value, `w${n}`, onlyChanges));
      }
    }
    writers.working = Promise.all(writers.writers.map((writer) => writer.work(() => writers.isOver)));
    return writers;
  }

  count(outcome: Outcome): number {
    return this.writers
      .flatMap(({ attempts, counted }) => [...attempts, ...counted])
      .filter((attempt) => attempt.outcome === outcome).length;
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.working;
  }

  /** Returns acknowledged writes that are missing, rejected writes that were stored, and impossible responses. */
  broken(): Promise<string[]> {
    return this.brokenFor(null);
  }

  /** Checks the same through another client, possibly in another process. */
  async brokenFor(reader: RawClient | null): Promise<string[]> {
    const storedNames = new Set<string>();
    for (const { project, client: projectClient } of this.projects) {
      const client = reader ?? projectClient;
      for (let page: string | null = `${project.url}parameters/?page_size=500`; page; ) {
        const { body }: Reply<Page<Parameter>> = await client.get<Page<Parameter>>(page);
        for (const { name } of body.results) storedNames.add(name);
        page = body.next;
      }
    }
    return (await Promise.all(this.writers.map((writer) => writer.broken(storedNames, reader ?? undefined)))).flat();
  }
}
