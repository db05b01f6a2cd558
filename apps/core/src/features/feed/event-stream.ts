import type { ServerResponse } from 'node:http';
import type { Bookmark, StreamClose } from '@strata/contract';
import { encodeCursor, type Position } from '@strata/domain';
import type { LedgerEvent, LedgerPage } from '../../platform/ledger/ledger.ts';
import type { FeedReader } from './feed.service.ts';
import type { CloseCode, ListenerSession } from './listeners.ts';
import { CLOSE_DETAILS, chooseCloseCode, StreamSocket, type StreamTimes } from './stream-socket.ts';

const RETRY_MS = 2_000;

/**
 * Serves one subscriber's connection, from the first bookmark to the close frame. Buffers at most one page of events.
 */
export class EventStream {
  private readonly socket: StreamSocket;

  constructor(
    raw: ServerResponse,
    private readonly listening: ListenerSession,
    private readonly receivable: (page: LedgerPage) => Promise<readonly LedgerEvent[]>,
    private readonly times: StreamTimes,
  ) {
    this.socket = new StreamSocket(raw, listening.signal, times);
  }

  /** Sends events until the client disconnects, stops reading, or the service closes the connection. */
  async run(reader: FeedReader): Promise<void> {
    try {
      await this.socket.send([`retry: ${RETRY_MS}\n\n${bookmark(reader.position)}`]);
      await this.sendPages(reader);
    } catch (error) {
      const code = chooseCloseCode(error);
      if (code) return this.close(code);
      // Destroys the socket, so that the client reconnects with its cursor.
      this.socket.destroy();
      return;
    }
    const { closeCode } = this.listening;
    if (closeCode) this.close(closeCode);
    else this.socket.destroy();
  }

  private async sendPages(reader: FeedReader): Promise<void> {
    const { signal } = this.listening;
    while (!signal.aborted) {
      const idleMs = this.socket.lastSent + this.times.bookmarkMs - performance.now();
      const events = await this.receivable(await reader.next(idleMs, signal));
      if (signal.aborted) return;
      const frames = events.map(encodeFrame);
      if (frames.length > 0) await this.socket.send(frames);
      else if (performance.now() - this.socket.lastSent >= this.times.bookmarkMs)
        await this.socket.send([bookmark(reader.position)]);
    }
  }

  private close(code: CloseCode): void {
    const frame: StreamClose = { code, detail: CLOSE_DETAILS[code] };
    this.socket.end(`event: close\ndata: ${JSON.stringify(frame)}\n\n`);
  }
}

function bookmark(position: Position): string {
  const cursor = encodeCursor(position);
  const data: Bookmark = { cursor, revision: position.revision };
  return `id: ${cursor}\nevent: bookmark\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Caches the frame of an event, since many subscribers receive the same one. */
const frames = new WeakMap<LedgerEvent, string>();

function encodeFrame(happened: LedgerEvent): string {
  const cachedFrame = frames.get(happened);
  if (cachedFrame !== undefined) return cachedFrame;
  const frame = `id: ${happened.event.cursor}\nevent: change\ndata: ${JSON.stringify(happened.event)}\n\n`;
  frames.set(happened, frame);
  return frame;
}
