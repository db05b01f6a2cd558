import { once } from 'node:events';
import http from 'node:http';
import type { AuditStreamBookmark, AuditStreamClose, AuditStreamRecord } from '@strata/contract';
import type { RawClient } from '@strata/testkit';
import { waitUntil } from './until.ts';

type Line = AuditStreamRecord | AuditStreamBookmark | AuditStreamClose;

const parseLines = (text: string): readonly Line[] =>
  text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));

const recordsIn = (lines: readonly Line[]): readonly AuditStreamRecord[] =>
  lines.filter((line) => line.kind === 'record');

export interface AuditRead {
  readonly records: readonly AuditStreamRecord[];
  /** The cursor of the last line. */
  readonly cursor: string;
}

/** Reads the whole audit, or everything after a cursor. */
export async function readAudit(client: RawClient, query = ''): Promise<AuditRead> {
  const { status, text } = await client.get(`audit/stream/?${query}`);
  const lines = parseLines(text);
  const lastLine = lines.at(-1);
  if (status !== 200 || lastLine?.kind !== 'bookmark') throw new Error(`${status} ${text.slice(-500)}`);
  return { records: recordsIn(lines), cursor: lastLine.cursor };
}

/** A stream that stays open. */
export class AuditFollower {
  readonly ended: Promise<void>;
  private text = '';

  private constructor(private readonly response: http.IncomingMessage) {
    response.setEncoding('utf8').on('data', (chunk: string) => (this.text += chunk));
    this.ended = new Promise((resolve) => response.once('close', resolve).on('error', () => undefined));
  }

  static async open(origin: string, authorization: string, query = ''): Promise<AuditFollower> {
    const path = `${origin}/api/v1/audit/stream/?follow=true&${query}`;
    const request = http.get(path, { headers: { authorization }, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return new AuditFollower(response);
  }

  get status(): number | undefined {
    return this.response.statusCode;
  }

  get lines(): readonly Line[] {
    return parseLines(this.text);
  }

  get records(): readonly AuditStreamRecord[] {
    return recordsIn(this.lines);
  }

  async until(isEnough: (follower: AuditFollower) => boolean): Promise<void> {
    await waitUntil(async () => isEnough(this), Boolean);
  }

  close(): void {
    this.response.destroy();
  }
}
