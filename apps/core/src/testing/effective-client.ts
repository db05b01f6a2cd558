import http from 'node:http';
import type { EffectiveMessage } from '@strata/contract';
import { Watchers } from './watchers.ts';

type Values = Readonly<Record<string, string | null>>;

/** A message of a stream, with the values that the client has after it. */
export interface FoldedMessage {
  readonly message: EffectiveMessage;
  /** They are null before the first snapshot. */
  readonly values: Values | null;
}

/** Follows an effective configuration as a program does: applies the messages, and continues after a cut connection. */
export class EffectiveClient {
  readonly received: FoldedMessage[] = [];
  status = 0;
  private values: Values | null = null;
  private cursor: string | null = null;
  private response: http.IncomingMessage | null = null;
  private readonly watchers = new Watchers(this.received);

  constructor(
    private readonly origin: string,
    private readonly path: string,
    private readonly authorization: string,
  ) {}

  /** Connects, and continues after the last message. Resolves with the status, and the body of an error. */
  async open(headers: Readonly<Record<string, string>> = {}, origin = this.origin): Promise<string> {
    const sentHeaders = {
      authorization: this.authorization,
      ...(this.cursor && { 'last-event-id': this.cursor }),
      ...headers,
    };
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    http.get(`${origin}/api/v1/${this.path}`, { headers: sentHeaders, agent: false }, resolve).on('error', reject);
    const response = await promise;
    this.status = response.statusCode ?? 0;
    this.response = response;
    let text = '';
    response.setEncoding('utf8').on('error', () => undefined);
    if (this.status !== 200) {
      for await (const part of response) text += part;
      return text;
    }
    response.on('data', (part: string) => {
      const frames = (text + part).split('\n\n');
      text = frames.pop() ?? '';
      if (this.response === response) for (const frame of frames) this.take(frame);
    });
    response.once('close', () => this.watchers.look());
    return '';
  }

  /** Breaks the connection. Messages that have not arrived yet are lost. */
  cut(): void {
    this.response?.destroy();
    this.response = null;
  }

  get isOpen(): boolean {
    return this.response !== null && !this.response.destroyed;
  }

  get last(): FoldedMessage | undefined {
    return this.received.at(-1);
  }

  of<Kind extends EffectiveMessage['kind']>(kind: Kind): Extract<EffectiveMessage, { kind: Kind }>[] {
    return this.received.flatMap(({ message }) =>
      message.kind === kind ? [message as Extract<EffectiveMessage, { kind: Kind }>] : [],
    );
  }

  get kinds(): string[] {
    return this.received.map(({ message }) => message.kind);
  }

  until(isEnough: () => boolean): Promise<void> {
    return this.watchers.until(isEnough);
  }

  /** Waits for a message that reports that the stream has reached a revision. */
  untilRevision(revision: number): Promise<void> {
    return this.until(() =>
      this.received.some(({ message }) => message.kind !== 'close' && message.revision >= revision),
    );
  }

  private take(frame: string): void {
    const fields = new Map(frame.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
    const data = fields.get('data');
    if (data === undefined) return;
    const message = { kind: fields.get('event'), ...JSON.parse(data) } as EffectiveMessage;
    if (message.kind !== 'close') {
      if (fields.get('id') !== message.cursor) throw new Error('The id of a message must be its cursor.');
      this.cursor = message.cursor;
    }
    if (message.kind === 'snapshot') this.values = message.values;
    if (message.kind === 'delta') {
      if (this.values === null) throw new Error('A delta came before the first snapshot.');
      const values: Record<string, string | null> = { ...this.values };
      for (const { name, kind, value } of message.changes) {
        if (kind === 'unset') delete values[name];
        else values[name] = value;
      }
      this.values = values;
    }
    this.received.push({ message, values: this.values });
    this.watchers.look();
  }
}
