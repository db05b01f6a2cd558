import { decodeBody, malformedBodyError, parseJsonText, sentence } from '@strata/domain';

/** No valid request is nested deeper. Deeper JSON could overflow the stack. */
const DEPTH_MAX = 32;
/** No object of the API has so many members, and processing half a million of them would block other requests. */
const VALUES_MAX = 20_000;
/** The body length for which VALUES_MAX applies. Routes that accept longer bodies allow proportionally more values. */
const BYTES_OF_VALUES_MAX = 1_048_576;
/**
 * Parses a JSON body. Checks depth and number of values before parsing. Rejects invalid UTF-8 and keys that could
 * change prototypes.
 */
export function parseJsonBytes(bytes: Buffer, bytesMax = BYTES_OF_VALUES_MAX): unknown {
  const valuesMax = Math.floor((VALUES_MAX * bytesMax) / BYTES_OF_VALUES_MAX);
  const text = decodeBody(bytes);
  const { depth, values } = measureSize(text, valuesMax);
  if (depth > DEPTH_MAX)
    throw malformedBodyError(sentence`The body is nested deeper than ${{ limit: DEPTH_MAX }} levels.`);
  if (values > valuesMax) throw malformedBodyError(sentence`The body has more than ${{ limit: valuesMax }} values.`);
  return parseJsonText(text);
}

/** Counts brackets and commas outside of strings. Stops as soon as one of the limits is exceeded. */
function measureSize(text: string, valuesMax: number): { readonly depth: number; readonly values: number } {
  let depth = 0;
  let depthMax = 0;
  let values = 1;
  for (let index = 0; index < text.length && depthMax <= DEPTH_MAX && values <= valuesMax; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x2c) values += 1;
    else if (code === 0x5b || code === 0x7b) {
      values += 1;
      depth += 1;
      depthMax = Math.max(depthMax, depth);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return { depth: depthMax, values };
}

function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at > 0 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at < 0 ? text.length : at;
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === 0x5c) before -= 1;
  return (at - before) % 2 === 1;
}
