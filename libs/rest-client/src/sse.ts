/** One message of a server-sent event stream, with the fields that the WHATWG standard defines. */
export interface SseMessage {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

/** The default maximum length of a message. */
const MESSAGE_LENGTH_MAX = 1_048_576;

/** Parses the text of a stream, which may be cut anywhere, into messages. */
export class SseParser {
  private rest = '';
  /** Whether the last piece ended with CR, so that an LF at the start of the next piece belongs to it. */
  private afterReturn = false;
  private isFirst = true;
  private event = '';
  private data: string[] = [];
  private size = 0;
  private id: string | null = null;

  /** The limit prevents a server that never ends its message from filling the memory. */
  constructor(private readonly messageMax = MESSAGE_LENGTH_MAX) {}

  /** Returns the messages that this piece completes. Throws if a message exceeds the maximum length. */
  push(piece: string): SseMessage[] {
    const messages: SseMessage[] = [];
    for (const line of this.lines(piece)) {
      const message = this.line(line);
      if (message !== null) messages.push(message);
    }
    if (this.size + this.rest.length > this.messageMax) throw new Error('A message of the stream is too long.');
    return messages;
  }

  private lines(piece: string): string[] {
    let text = piece;
    if (text === '') return [];
    if (this.isFirst) {
      this.isFirst = false;
      if (text.startsWith('\ufeff')) text = text.slice(1);
    }
    if (this.afterReturn && text.startsWith('\n')) text = text.slice(1);
    this.afterReturn = piece.endsWith('\r');
    // The rest contains no line break. It is not searched again, because a long line arrives in many pieces.
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    const lines = [this.rest + first, ...others];
    this.rest = lines.pop() ?? '';
    return lines;
  }

  private line(line: string): SseMessage | null {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    else if (field === 'data') {
      this.data.push(value);
      this.size += value.length + 1;
    }
    return null;
  }

  private dispatch(): SseMessage | null {
    const { event, data, id } = this;
    this.event = '';
    this.data = [];
    this.size = 0;
    if (data.length === 0) return null;
    return { event: event === '' ? 'message' : event, data: data.join('\n'), id };
  }
}
