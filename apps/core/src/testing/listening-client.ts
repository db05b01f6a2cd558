import { once } from 'node:events';
import http from 'node:http';
import type { Event } from '@strata/contract';
import { createParser } from 'eventsource-parser';
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
  private readonly watchers = new Watchers(this.messages);

  private constructor(readonly response: http.IncomingMessage) {
    const parser = createParser({
      onEvent: ({ event = '', id = null, data }) => this.messages.push({ event, id, data: JSON.parse(data) }),
    });
    response.setEncoding('utf8').on('data', (chunk: string) => {
      parser.feed(chunk);
      this.watchers.look();
    });
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
}
