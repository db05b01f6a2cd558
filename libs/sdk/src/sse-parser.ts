import { malformedResponseError } from './wire.ts';

export interface SentEvent {
  readonly event: string;
  readonly data: string;
}

/** Strata reads at most 64 MiB of texts for one response, so no message is longer. */
const LENGTH_MAX = 2 ** 27;

/** Parses the text of a stream of server-sent events, which can be cut anywhere. */
export class EventParser {
  #rest = '';
  /** A CR at the end of a piece, which may be the first half of a line break. */
  #held = '';
  #event = '';
  #data: string[] = [];
  #size = 0;

  /** Returns the events that this piece completes. */
  push(piece: string): SentEvent[] {
    const events: SentEvent[] = [];
    const text = this.#held + piece;
    this.#held = text.endsWith('\r') ? '\r' : '';
    const lines = text.slice(0, text.length - this.#held.length).split(/\r\n|\r|\n/);
    lines[0] = this.#rest + lines[0];
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#line(line, events);
    if (this.#size + this.#rest.length > LENGTH_MAX) throw malformedResponseError();
    return events;
  }

  #line(line: string, events: SentEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') });
      this.#event = '';
      this.#data = [];
      this.#size = 0;
    }
    const colon = line.indexOf(':');
    const value = line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (line.startsWith('event:')) this.#event = value;
    if (!line.startsWith('data:')) return;
    this.#data.push(value);
    this.#size += value.length + 1;
  }
}
