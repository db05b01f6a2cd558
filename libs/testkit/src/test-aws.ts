import { randomInt } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { sharedResource } from './shared-resources.ts';

/** One request to the stand-in: the operation as AWS names it, and its input. */
export interface AwsCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A scripted fault of one request. */
export type AwsFault =
  | { readonly kind: 'error'; readonly code: string; readonly status: number }
  /** The stand-in sends this response of a JSON service instead of its own, such as a list that is out of date. */
  | { readonly kind: 'answer'; readonly body: object }
  /** The request is executed, and the connection breaks before the response. */
  | { readonly kind: 'lost_response' }
  /** The client gets no response. If `isExecuted` is true, the request is executed. */
  | { readonly kind: 'no_response'; readonly isExecuted: boolean };

/** The APIs of AWS in front of moto, with a record of all calls and scripted faults. */
export interface TestAws {
  readonly endpoint: string;
  /** Why moto is not available; null if it is. Tests without it are skipped. */
  readonly missing: string | null;
  /** Returns the calls since the last `clear`. */
  calls(): readonly AwsCall[];
  clear(): void;
  /** Decides about each request. Returns null for a normal response. */
  interfere(decide: (call: AwsCall) => AwsFault | null | Promise<AwsFault | null>): void;
  close(): Promise<void>;
}

/** Credentials that the stand-in accepts for every account. */
export const AWS_CREDENTIALS = { accessKeyId: 'AKIASTANDIN', secretAccessKey: 'stand-in-secret-access-key' };

/** Returns an account id that no other test uses. */
export const newAwsAccount = (): string => String(randomInt(100_000_000_000, 281_474_976_710_655)).slice(0, 12);

export async function startTestAws(): Promise<TestAws> {
  const { origin, missing = null } = await sharedResource<{ origin?: string; missing?: string }>('moto');
  let recorded: AwsCall[] = [];
  let decide: Parameters<TestAws['interfere']>[0] = () => null;
  const server = http.createServer(async (request, response) => {
    const body = await buffer(request);
    const call = readCall(request, body);
    recorded.push(call);
    const fault = await decide(call);
    if (fault?.kind === 'error') return sendError(call, request, response, fault);
    if (fault?.kind === 'answer') {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(fault.body));
      return;
    }
    if (fault?.kind === 'no_response' && !fault.isExecuted) return;
    const { host: _, connection: __, ...headers } = request.headers;
    const upstream = http.request(
      `${origin}${request.url}`,
      { method: request.method ?? 'POST', headers },
      (answer) => {
        if (fault?.kind === 'lost_response') {
          answer.resume().once('end', () => response.destroy());
          return;
        }
        if (fault?.kind === 'no_response') {
          answer.resume();
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.once('error', () => response.destroy());
    upstream.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    missing,
    calls: () => recorded,
    clear: () => {
      recorded = [];
    },
    interfere: (decision) => {
      decide = decision;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** AWS repeats the value of a request in some messages. */
function describeFault({ input }: AwsCall): string {
  const value = input.SecretString ?? input.Value;
  return `A scripted fault.${value === undefined ? '' : ` The value '${value}' is invalid.`}`;
}

/** STS sends its errors as XML. */
function sendError(
  call: AwsCall,
  { headers }: http.IncomingMessage,
  response: http.ServerResponse,
  { code, status }: Extract<AwsFault, { kind: 'error' }>,
): void {
  if (headers['x-amz-target'] === undefined) {
    response.writeHead(status, { 'content-type': 'text/xml' });
    const error = `<Type>Sender</Type><Code>${code}</Code><Message>A scripted fault.</Message>`;
    response.end(`<ErrorResponse><Error>${error}</Error><RequestId>0</RequestId></ErrorResponse>`);
    return;
  }
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': code });
  response.end(JSON.stringify({ __type: code, message: describeFault(call) }));
}

/** The JSON services name the operation in a header, and STS in its form. */
function readCall({ headers }: http.IncomingMessage, body: Buffer): AwsCall {
  const target = String(headers['x-amz-target'] ?? '');
  const text = body.toString();
  if (target !== '') return { operation: target.split('.').at(-1) ?? '', input: JSON.parse(text || '{}') };
  const form = Object.fromEntries(new URLSearchParams(text));
  return { operation: form.Action ?? '', input: form };
}
