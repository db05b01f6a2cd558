// Generates libs/domain/src/confusables.ts from Unicode's confusables.txt: node tools/confusables.mjs <confusables.txt>
// Each release of Unicode has one at https://www.unicode.org/Public/security/.
import fs from 'node:fs';
import path from 'node:path';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Usage: node tools/confusables.mjs <confusables.txt>');
const text = fs.readFileSync(file, 'utf8');
const version = /^# Version: (\S+)/m.exec(text)?.[1];
if (!version) throw new Error(`${file} does not say its version.`);

const points = (codes) =>
  codes
    .trim()
    .split(' ')
    .map((code) => Number.parseInt(code, 16).toString(36))
    .join(' ');
const sources = new Map();
for (const line of text.split('\n')) {
  const [source, prototype] = line.split('#')[0].split(';');
  if (prototype === undefined) continue;
  const key = points(prototype);
  sources.set(key, [...(sources.get(key) ?? []), points(source)]);
}

const lines = [''];
for (const [prototype, from] of sources) {
  const entry = `${prototype}<${from.join(' ')}`;
  const last = lines.length - 1;
  if (lines[last].length + entry.length > 400) lines.push(entry);
  else lines[last] += lines[last] === '' ? entry : `,${entry}`;
}
const out = path.join(import.meta.dirname, '../libs/domain/src/confusables.ts');
fs.writeFileSync(
  out,
  `/*
 * Made by tools/confusables.mjs from confusables.txt of Unicode ${version}, the data of UTS 39.
 * Copyright Unicode, Inc. SPDX-License-Identifier: Unicode-3.0, see https://www.unicode.org/license.txt
 */

/** Entries are \`prototype<sources\`: code points in base 36, those of a prototype in order. */
export const CONFUSABLES = \`
${lines.join(',\n')}\`;
`,
);
