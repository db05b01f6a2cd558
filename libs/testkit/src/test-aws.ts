import { randomInt } from 'node:crypto';
import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { sharedResource } from './shared-resources.ts';
import { type CloudCall, type CloudReply, startTestCloud, type TestCloud } from './test-cloud.ts';

/** The APIs of AWS in front of moto. */
export interface TestAws extends TestCloud {
  /** Why moto is not available; null if it is. Tests without it are skipped. */
  readonly missing: string | null;
}

/** Credentials that the stand-in accepts for every account. */
export const AWS_CREDENTIALS = { accessKeyId: 'AKIASTANDIN', secretAccessKey: 'stand-in-secret-access-key' };

/** Returns an account id that no other test uses. */
export const newAwsAccount = (): string => String(randomInt(100_000_000_000, 281_474_976_710_655)).slice(0, 12);

export async function startTestAws(): Promise<TestAws> {
  const { origin, missing = null } = await sharedResource<{ origin?: string; missing?: string }>('moto');
  const cloud = await startTestCloud({
    readCall,
    execute: (request, body) => forward(`${origin}${request.url}`, request, body),
    reject,
  });
  return { ...cloud, missing };
}

function forward(url: string, { method = 'POST', headers }: http.IncomingMessage, body: Buffer): Promise<CloudReply> {
  const { host: _, connection: __, ...forwarded } = headers;
  return new Promise((resolve, reject) => {
    const upstream = http.request(url, { method, headers: forwarded }, (response) => {
      buffer(response).then(
        (content) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body: content }),
        reject,
      );
    });
    upstream.once('error', reject);
    upstream.end(body);
  });
}

function reject({ code, status }: { readonly code: string; readonly status: number }, call: CloudCall): CloudReply {
  const message = describeFault(call);
  if (OF_STS.has(call.operation)) {
    const error = `<Type>Sender</Type><Code>${code}</Code><Message>${message}</Message>`;
    const body = `<ErrorResponse><Error>${error}</Error><RequestId>0</RequestId></ErrorResponse>`;
    return { status, headers: { 'content-type': 'text/xml' }, body };
  }
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': code };
  return { status, headers, body: JSON.stringify({ __type: code, message }) };
}

/** The operations of STS, which sends its errors as XML. */
const OF_STS: ReadonlySet<string> = new Set(['AssumeRole', 'GetCallerIdentity']);

/** AWS repeats the value of a request in some messages. */
function describeFault({ input }: CloudCall): string {
  const value = input.SecretString ?? input.Value;
  return `A scripted fault.${value === undefined ? '' : ` The value '${value}' is invalid.`}`;
}

/** The JSON services name the operation in a header, and STS in its form. */
function readCall({ headers }: http.IncomingMessage, body: Buffer): CloudCall {
  const target = String(headers['x-amz-target'] ?? '');
  const text = body.toString();
  if (target !== '') return { operation: target.split('.').at(-1) ?? '', input: JSON.parse(text || '{}') };
  const form = Object.fromEntries(new URLSearchParams(text));
  return { operation: form.Action ?? '', input: form };
}
