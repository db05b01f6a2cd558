import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Failure } from '@strata/domain';

/** What one answer may weigh, in bytes: it is in memory as a whole, and whoever asked has to hold it, too. */
export const ANSWER_LENGTH_MAX = 128 * 1_048_576;
/** Up to here text is written in one go: less than a millisecond. */
const SHORT = 65_536;
/** How long text is written before other requests are served. */
const BLOCK_MS_MAX = 10;

/**
 * The text that JSON.stringify writes, in UTF-8, in parts and without holding up the process: what is above `depth` is written
 * member by member, what is below in one go. Refuses what is longer than an answer may be.
 */
export async function jsonParts(value: unknown, depth: number): Promise<readonly Buffer[]> {
  const parts: Buffer[] = [];
  let part = '';
  let length = 0;
  let begun = performance.now();
  for (const piece of pieces(value, depth)) {
    part += piece;
    if (part.length < SHORT) continue;
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length > ANSWER_LENGTH_MAX) throw TOO_LONG;
    parts.push(bytes);
    part = '';
    if (performance.now() - begun < BLOCK_MS_MAX) continue;
    await letOthersRun();
    begun = performance.now();
  }
  parts.push(Buffer.from(part));
  return parts;
}

function* pieces(value: unknown, depth: number): Generator<string, void, undefined> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  let before = isList ? '[' : '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield isList ? before : `${before}${JSON.stringify(name)}:`;
    yield* pieces(member, depth - 1);
    before = ',';
  }
  yield `${before === ',' ? '' : before}${isList ? ']' : '}'}`;
}

const TOO_LONG = Failure.invalid(
  'answer_too_long',
  `The answer would be longer than ${ANSWER_LENGTH_MAX / 1_048_576} MiB. Ask for fewer things at once (page_size), or for one environment.`,
);
