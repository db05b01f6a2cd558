import { z } from 'zod';
import { text } from './fields.ts';

/** What one request may ask for at once; it protects the process and whoever holds the answers. */
export const BATCH_LIMITS = { requests: 100, path: 8_192 } as const;

const BELOW = 'https://api.invalid/api/v1/';

/** Below the API, and neither without end, nor waiting for something to happen, nor another batch. */
function isReadable(path: string): boolean {
  const url = URL.canParse(path, BELOW) ? new URL(path, BELOW) : null;
  if (!url?.href.startsWith(BELOW)) return false;
  if (url.searchParams.has('wait')) return false;
  return !/^(?:events\/stream|batch)(?:\/|$)/.test(decoded(url.pathname.slice('/api/v1/'.length)));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const pathIn = text({ max: BATCH_LIMITS.path, blank: 'refused' }).check((context) => {
  if (isReadable(context.value)) return;
  const message = 'Give a path below /api/v1/ with its query, without the slash at its beginning.';
  context.issues.push({ code: 'custom', input: undefined, message });
});

const BatchedRead = z
  .object({
    path: pathIn.meta({
      description:
        'Below `/api/v1/`, with its query: `projects/?page_size=10`. Not `events/stream/`, not `batch/`, and nothing with `wait`.',
    }),
  })
  .meta({ id: 'BatchedRead', description: 'One thing to read.' });

export const BatchRequest = z
  .object({
    requests: z
      .array(BatchedRead)
      .min(1, 'Ask for something.')
      .max(BATCH_LIMITS.requests, `At most ${BATCH_LIMITS.requests} requests at once.`)
      .meta({ description: 'What to read, each with GET.' }),
  })
  .meta({ id: 'BatchRequest' });
export type BatchRequest = z.infer<typeof BatchRequest>;

export const BatchResult = z
  .object({
    status: z.int().meta({ description: 'The status that the request alone would have had.' }),
    revision: z.int().nullable().meta({ description: 'Its `X-Revision`.' }),
    etag: z.string().nullable().meta({ description: 'Its `ETag`.' }),
    error_code: z.string().nullable().meta({
      description: 'Its `X-Error-Code`; `batch_too_large`: the answers before it are long, ask for it alone.',
    }),
    retry_after: z.int().nullable().meta({ description: 'Its `Retry-After`, in seconds.' }),
    body: z.unknown().meta({ description: 'Its body.' }),
  })
  .meta({ id: 'BatchResult', description: 'What became of one request.' });
export type BatchResult = z.infer<typeof BatchResult>;

export const BatchResponse = z
  .object({ results: z.array(BatchResult).meta({ description: 'In the order of the requests.' }) })
  .meta({ id: 'BatchResponse' });
export type BatchResponse = z.infer<typeof BatchResponse>;
