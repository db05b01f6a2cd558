import { once } from 'node:events';
import http from 'node:http';
import type { Event } from '@strata/contract';
import { Watchers } from './watchers.ts';

interface Message {
  readonly event: string;
  readonly id: string | null;
  readonly data: Event & { code?: string };
}

/** A stream of events on a separate connection, as a browser reads it. */
export class ListeningClient {
  readonly messages: Message[] = [];
  readonly ended: Promise<void>;
  private text = '';
  private readonly watchers = new Watchers(this.messages);

  private constructor(readonly response: http.IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => this.take(chunk));
    this.ended = new Promise((resolve) => response.once('close', resolve).on('error', () => undefined));
  }

  static async open(
    origin: string,
    headers: Readonly<Record<string, string>>,
    query = '',
    path = 'events/stream/',
  ): Promise<ListeningClient> {
    const request = http.get(`${origin}/api/v1/${path}?${query}`, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return new ListeningClient(response);
  }

  get changes(): Event[] {
    return this.messages.filter(({ event }) => event === 'change').map(({ data }) => data);
  }

  until(isEnough: () => boolean): Promise<void> {
    return this.watchers.until(isEnough);
  }

  close(): void {
    this.response.destroy();
  }

  private take(chunk: string): void {
    this.text += chunk;
    const parts = this.text.split('\n\n');
    this.text = parts.pop() ?? '';
    for (const part of parts) {
      const fields = new Map(part.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      const data = fields.get('data');
      if (data === undefined) continue;
      this.messages.push({ event: fields.get('event') ?? '', id: fields.get('id') ?? null, data: JSON.parse(data) });
    }
    this.watchers.look();
  }
}
