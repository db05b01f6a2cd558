import { z } from 'zod';
import { textField } from './fields.ts';

/** The limits of one batch. They limit the memory that the server and the client need. */
export const BATCH_LIMITS = { requests: 100, path: 8_192, tag: 200 } as const;

const BELOW = 'https://api.invalid/api/v1/';

/** A path below the API that responds immediately: streams, long polls and other batches are excluded. */
function isReadable(path: string): boolean {
  const url = URL.canParse(path, BELOW) ? new URL(path, BELOW) : null;
  if (!url?.href.startsWith(BELOW)) return false;
  if (url.searchParams.has('wait')) return false;
  return !/^(?:(?:events|audit|projects\/[^/]*\/effective)\/stream|batch)(?:\/|$)/.test(
    decoded(url.pathname.slice('/api/v1/'.length)),
  );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const pathIn = textField({ max: BATCH_LIMITS.path, blank: 'rejected' }).check((context) => {
  if (isReadable(context.value)) return;
  const message = 'Enter a path below /api/v1/ with its query, without a leading slash.';
  context.issues.push({ code: 'custom', input: undefined, message });
});

const BatchedRead = z
  .object({
    path: pathIn.meta({
      description:
        'Path below `/api/v1/` with its query, such as `projects/?page_size=10`. Streams, `batch/` and paths with `wait` are rejected.',
    }),
    if_none_match: textField({ max: BATCH_LIMITS.tag, blank: 'rejected' }).optional().meta({
      description:
        'The `If-None-Match` header of the request: the `etag` of an earlier response. If the response is still the same, the status is 304 and the body is null.',
    }),
  })
  .meta({ id: 'BatchedRead', description: 'One read request.' });
export type BatchedRead = z.infer<typeof BatchedRead>;

export const BatchRequest = z
  .object({
    requests: z
      .array(BatchedRead)
      .min(1, 'Ask for something.')
      .max(BATCH_LIMITS.requests, `At most ${BATCH_LIMITS.requests} requests at once.`)
      .meta({ description: 'The paths to read, each with GET.' }),
  })
  .meta({ id: 'BatchRequest' });
export type BatchRequest = z.infer<typeof BatchRequest>;

export const BatchResult = z
  .object({
    status: z.int().meta({ description: 'The HTTP status, the same as for a single request.' }),
    revision: z.int().nullable().meta({ description: 'Value of the `X-Revision` header.' }),
    etag: z.string().nullable().meta({ description: 'Value of the `ETag` header.' }),
    cache_control: z.string().nullable().meta({
      description: 'Value of the `Cache-Control` header. It contains `no-store` if the body shows a secret in clear.',
    }),
    error_code: z.string().nullable().meta({
      description:
        'Value of the `X-Error-Code` header. `batch_too_large`: the batch reached its size limit before this request; send the request on its own.',
    }),
    retry_after: z.int().nullable().meta({ description: 'Value of the `Retry-After` header, in seconds.' }),
    body: z.unknown().meta({ description: 'The response body.' }),
  })
  .meta({ id: 'BatchResult', description: 'The response to one request of the batch.' });
export type BatchResult = z.infer<typeof BatchResult>;

export const BatchResponse = z
  .object({ results: z.array(BatchResult).meta({ description: 'The responses, in the order of the requests.' }) })
  .meta({ id: 'BatchResponse' });
export type BatchResponse = z.infer<typeof BatchResponse>;
