import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditStreamBookmark, AuditStreamClose } from '@strata/contract';
import { type AuditPosition, can, encodeAuditCursor } from '@strata/domain';
import type { ListenerSession } from '../feed/listeners.ts';
import { CLOSE_DETAILS, chooseCloseCode, StreamSocket, type StreamTimes } from '../feed/stream-socket.ts';
import type { AuditStreamPage } from './audit-records.ts';

/** The time between two reads of a stream that is up to date. */
const POLL_MS = 1_000;

const DETAILS: Readonly<Record<AuditStreamClose['code'], string>> = {
  ...CLOSE_DETAILS,
  cursor_gone: 'The history was replaced. Start again without a cursor.',
  forbidden: 'You no longer have permission to read the audit stream.',
};

/** Sends the audit as lines of JSON, until everything was sent, or until the client disconnects. */
export class AuditStream {
  private readonly socket: StreamSocket;

  constructor(
    raw: ServerResponse,
    private readonly listening: ListenerSession,
    private readonly read: (position: AuditPosition) => Promise<AuditStreamPage>,
    private readonly times: StreamTimes,
  ) {
    this.socket = new StreamSocket(raw, listening.signal, times);
  }

  async run(first: AuditStreamPage, follow: boolean): Promise<void> {
    try {
      if (await this.sendPages(first, follow)) return;
    } catch (error) {
      const code = chooseCloseCode(error);
      if (code) return this.close(code);
      // Destroys the socket, so that the client reconnects with its last cursor.
      return this.socket.destroy();
    }
    const { closeCode } = this.listening;
    if (closeCode) this.close(closeCode);
    else this.socket.destroy();
  }

  /** Returns true if the response has ended, and false if the connection has. */
  private async sendPages(first: AuditStreamPage, follow: boolean): Promise<boolean> {
    const { signal } = this.listening;
    let isUpToDate = false;
    for (let page = first; ; page = await this.read(page.position)) {
      // Permissions are as new as the records of the page.
      const listener = await this.listening.permissions(page.people);
      if (signal.aborted || listener === null) return false;
      if (!can(listener, 'read_audit_stream')) {
        this.close('forbidden');
        return true;
      }
      if (page.records.length > 0) await this.socket.send(page.records.map(formatLine));
      if (page.more) continue;
      if (!follow) {
        this.socket.end(bookmark(page));
        return true;
      }
      if (!isUpToDate || performance.now() - this.socket.lastSent >= this.times.bookmarkMs) {
        await this.socket.send([bookmark(page)]);
      }
      isUpToDate = true;
      await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
    }
  }

  private close(code: AuditStreamClose['code']): void {
    this.socket.end(formatLine({ kind: 'close', code, detail: DETAILS[code] } satisfies AuditStreamClose));
  }
}

function bookmark({ position }: AuditStreamPage): string {
  return formatLine({ kind: 'bookmark', cursor: encodeAuditCursor(position) } satisfies AuditStreamBookmark);
}

const formatLine = (line: object): string => `${JSON.stringify(line)}\n`;
