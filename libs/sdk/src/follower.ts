import type { CommonOptions, ConfigChange } from './options.ts';
import type { ProgramReporter } from './reporter.ts';
import type { ConfigSelection } from './selection.ts';
import { ConfigRefusal, StrataError } from './strata-error.ts';
import type { Polled } from './transport.ts';
import { type ConfigState, type ConfigText, type Texts, Values } from './values.ts';
import { malformed, type PolledState, type StreamedMessage, type TextChange } from './wire.ts';

/** The maximum length of the reason of a refusal. */
const REASON_MAX = 500;

export interface FollowerEvents {
  /** The program has a new configuration, or confirmation of the one that it has: then `changes` is empty. */
  readonly onState: (state: ConfigState, changes: readonly ConfigChange[]) => void;
  /** Strata has no configuration that the program can use. */
  readonly onProblem: (error: StrataError) => void;
}

/** Folds messages into a configuration, validates it, and passes it on. */
export class Follower {
  /** The configuration at the cursor, which the program can have refused. */
  private received: ConfigState | null = null;
  /** The configuration that the program runs. */
  private applied: ConfigState | null = null;
  /** The cursor of the last message; null if the next stream has to begin with a snapshot. */
  cursor: string | null = null;

  constructor(
    private readonly options: Pick<CommonOptions, 'validate'>,
    private readonly selection: ConfigSelection,
    private readonly reporter: ProgramReporter | null,
    private readonly events: FollowerEvents,
  ) {}

  /** The digest of the last received configuration. */
  get digest(): string | null {
    return this.received?.digest ?? null;
  }

  /** Begins with a configuration that does not come from Strata. */
  begin(state: ConfigState): void {
    this.applied = state;
  }

  /** Forgets what was received, so that the next message has to be a snapshot. The program keeps its configuration. */
  restart(): void {
    this.cursor = null;
    this.received = null;
  }

  async onMessage(message: StreamedMessage): Promise<void> {
    if (message.kind === 'close') return;
    if (message.kind === 'reset') return this.restart();
    if (message.kind === 'problem') this.events.onProblem(problemOf(message.detail, message.names));
    if (message.kind === 'snapshot') await this.receive(message, textsOf(message));
    if (message.kind === 'delta') await this.receive(message, changed(this.received?.texts, message.changes));
    if (message.kind === 'bookmark') this.confirm(message.revision, message.digest);
    this.cursor = message.cursor;
  }

  async onPoll(polled: Polled): Promise<void> {
    if (polled.values === undefined) return this.confirm(polled.revision, this.digest);
    // A later stream would apply its changes to an earlier configuration.
    this.cursor = null;
    await this.receive(polled, textsOf(polled));
  }

  private confirm(revision: number, digest: string | null): void {
    if (digest === null) return;
    if (this.received?.digest !== digest) throw malformed();
    this.received = { ...this.received, revision };
    if (this.applied?.digest === digest) this.apply(this.received, []);
  }

  private async receive({ revision, digest }: Omit<ConfigState, 'texts'>, texts: Texts): Promise<void> {
    const next = { texts, revision, digest };
    const changes = changesBetween(this.applied?.texts ?? new Map(), texts);
    try {
      if (this.applied === null || changes.length > 0) {
        await this.options.validate?.(new Values(next, this.selection), changes);
      }
    } catch (error) {
      this.received = next;
      return this.refuse(revision, error);
    }
    this.received = next;
    this.apply(next, changes);
    this.reporter?.report({ revision, digest });
  }

  private apply(state: ConfigState, changes: readonly ConfigChange[]): void {
    this.applied = state;
    this.events.onState(state, changes);
  }

  private refuse(revision: number, error: unknown): void {
    const reason = reasonOf(error);
    this.reporter?.report({ revision, reason });
    const message = `The program refused the configuration at revision ${revision}: ${reason}`;
    this.events.onProblem(new StrataError('refused', message, { cause: error }));
  }
}

/** The configuration cannot be evaluated, so that Strata delivers none. */
export function problemOf(detail: string, names: readonly string[]): StrataError {
  const list = names.length > 0 ? ` (${names.join(', ')})` : '';
  return new StrataError('evaluation_failed', `Strata cannot evaluate the configuration${list}: ${detail}`);
}

/** Returns the text that Strata shows. Messages of unknown errors can contain values, such as those of JSON.parse. */
function reasonOf(error: unknown): string {
  const isOurs = error instanceof ConfigRefusal || error instanceof StrataError;
  const kind = error instanceof Error && /^\w{1,60}$/.test(error.name) ? error.name : 'an error';
  const text = isOurs ? error.message.trim().replaceAll('\0', '') : '';
  return (text || `\`validate\` threw ${kind}.`).slice(0, REASON_MAX).replace(/[\uD800-\uDBFF]$/, '');
}

function textsOf({ values, masked = [] }: PolledState): Texts {
  const texts = new Map<string, ConfigText>(Object.entries(values));
  for (const name of masked) texts.set(name, undefined);
  return texts;
}

function changed(texts: Texts | undefined, changes: readonly TextChange[]): Texts {
  // A change without the configuration that it belongs to.
  if (texts === undefined) throw malformed();
  const next = new Map(texts);
  for (const { name, kind, value, masked } of changes) {
    if (kind === 'unset') next.delete(name);
    else next.set(name, masked ? undefined : value);
  }
  return next;
}

export function changesBetween(before: Texts, after: Texts): readonly ConfigChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name): ConfigChange[] => {
    if (!after.has(name)) return [{ name, kind: 'unset' }];
    if (!before.has(name)) return [{ name, kind: 'set' }];
    return before.get(name) === after.get(name) ? [] : [{ name, kind: 'changed' }];
  });
}
