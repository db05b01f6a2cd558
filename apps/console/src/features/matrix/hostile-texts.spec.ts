import { parseEnvPreview } from '@strata/import';
import {
  completeOutput,
  findUnknownNames,
  hasOutput,
  type ReferableNames,
  readTypedReference,
} from '../../lib/mentions.ts';
import { parseTsv, toTsv } from '../../lib/tsv.ts';

const NO_NAMES: ReferableNames = { parameters: new Map(), templates: new Set(), projects: new Set() };

/** The functions that read what a user types or pastes. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  unknownNames: (text) => findUnknownNames(text, NO_NAMES, 'web'),
  hasOutput,
  typedReference: readTypedReference,
  outputText: (text) => completeOutput('HOST', '', text),
  parseTsv,
  toTsv: (text) => toTsv([[text]]),
  parseEnvPreview,
};

const PARTS = [
  ...['{{a ', '{{', '{{ ', '{{ a["x"]', '{{a.', '{% raw %}', '{% ', '{%assign a', 'a', ' ', '\t', '\n', '\r\n', '}'],
  ...['"', '""', '"a\n', '"""a\t', 'A="', "A='\n", 'A=\n', '#', '\\'],
];
const LENGTH = 64_000;
/** Texts that make a pattern start over at many positions. */
const TEXTS = PARTS.flatMap((part) => {
  const repeated = part.repeat(LENGTH / part.length);
  return [repeated, `{{${repeated}`, `A="${repeated}`, `${repeated}!`];
});

/** A quadratic pattern takes some hundred milliseconds for each of several texts. */
const LIMIT_MS = 100;
const ATTEMPTS = 3;

/** Returns the processor time of a function in ms. */
function processorMs(run: () => unknown): number {
  const before = process.threadCpuUsage();
  run();
  return process.threadCpuUsage(before).user / 1_000;
}

describe('a text of 64 kB that is typed or pasted', () => {
  it.each(Object.entries(READERS))('is read in linear time by %s', (_, read) => {
    for (const text of TEXTS) {
      read(text.slice(0, LENGTH / 16));
      // On a busy machine, a single attempt can take far longer than the function needs.
      const isFast = Array.from({ length: ATTEMPTS }).some(() => processorMs(() => read(text)) < LIMIT_MS);
      expect({ text: text.slice(0, 20), isFast }).toEqual({
        text: text.slice(0, 20),
        isFast: true,
      });
    }
  });
});
