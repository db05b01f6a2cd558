import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  /** Sent exactly as given. */
  readonly path: string;
  /** Lines such as `Authorization: x`, sent exactly as given. */
  readonly lines?: readonly string[];
  readonly body?: string | Buffer;
  /** Replaces the host of the origin. */
  readonly host?: string;
}

/** Sends requests that a client library would reject: unusual paths, header lines and bodies, byte for byte. */
export function rawRequest(
  origin: string,
  { method = 'GET', path, lines = [], body = '', host = new URL(origin).host }: RawRequest,
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const bytes = Buffer.from(body);
  const length = bytes.length > 0 || method === 'POST' ? [`Content-Length: ${bytes.length}`] : [];
  const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...length, ...lines];
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(Number(port), hostname);
    socket.setTimeout(20_000, () => socket.destroy(new Error(`No answer to ${method} ${path}`)));
    socket.on('data', (data) => chunks.push(Buffer.from(data)));
    // A server that rejects a body early may reset the connection after its response.
    socket.on('error', (error) => (chunks.length > 0 ? resolve(parsed(chunks)) : reject(error)));
    socket.on('end', () => {
      socket.end();
      resolve(parsed(chunks));
    });
    socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'));
    void writeBody(socket, bytes, () => chunks.length > 0);
  });
}

const PART = 65_536;

/** The time in which a server can reject a long body by its headers. */
const LOOK_MS = 50;
const LOOKS = 20;

/** A server does not read a rejected body, and writing more of it breaks the connection before the response is read. */
async function writeBody(socket: net.Socket, bytes: Buffer, isAnswered: () => boolean): Promise<void> {
  for (let attempt = 0; bytes.length > PART && attempt < LOOKS && !isAnswered(); attempt += 1) await sleep(LOOK_MS);
  for (let index = 0; index < bytes.length && !isAnswered() && socket.writable; index += PART) {
    await new Promise((resolve) => socket.write(bytes.subarray(index, index + PART), resolve));
  }
}

function parsed(chunks: readonly Buffer[]): RawAnswer {
  const all = Buffer.concat(chunks).toString('utf8');
  const [head = '', ...rest] = all.split('\r\n\r\n');
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const headers = headerLines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    text: rest.join('\r\n\r\n'),
  };
}
