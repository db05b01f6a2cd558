// npm run check runs this: it fails for code that turns bytes into text without `decodeText` of libs/domain. Other decoders replace bytes
// that are not UTF-8 by U+FFFD, and Strata would store that. A file whose bytes come from Strata itself is listed with the reason.
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** The calls that decode, with an example of each. `text-decoding.spec.ts` proves that each is found. */
export const DECODERS = [
  { pattern: /readFile(?:Sync)?\([^;]*['"]utf-?8['"]/, example: `fs.readFileSync(file, 'utf8')` },
  { pattern: /\bencoding: ['"]utf-?8['"]/, example: `spawnSync(program, args, { encoding: 'utf8' })` },
  { pattern: /\.setEncoding\(/, example: `stream.setEncoding('utf8')` },
  { pattern: /\.toString\(['"]utf-?8['"]\)/, example: `bytes.toString('utf-8')` },
  { pattern: /\b(?:body|buffer|bytes|chunk|content|data|payload)\.toString\(\)/, example: 'body.toString()' },
  { pattern: /\bString\((?:body|buffer|bytes|chunk|data)\)/, example: 'String(data)' },
  { pattern: /\bnew TextDecoder\(/, example: 'new TextDecoder()' },
  {
    pattern: /\{[^}]*\b(?:text|json)\b[^}]*\} from 'node:stream\/consumers'/,
    example: `import { text } from 'node:stream/consumers'`,
  },
  { pattern: /\bfile\.text\(\)/i, example: 'await file.text()' },
  { pattern: /\breadAsText\(/, example: 'reader.readAsText(file)' },
  { pattern: /\bparseAs: 'string'/, example: `{ parseAs: 'string' }` },
] as const;

/** The files, or folders, whose bytes do not come from users. */
const EXEMPT: readonly (readonly [start: string, reason: string])[] = [
  ['libs/domain/src/decoded-text.ts', 'the function itself'],
  ['libs/domain/src/list-cursor.ts', 'a cursor of Strata; changed ones are rejected as unknown'],
  ['libs/processes/', 'files and output of PostgreSQL and the kernel'],
  ['libs/rest-client/', 'responses of the core'],
  ['libs/sdk/', 'responses of Strata, and the cache of the SDK'],
  ['libs/webhooks/', 'responses of a chat service, of which only the status counts'],
  ['libs/testkit/', 'tests'],
  ['apps/e2e/', 'tests'],
  ['apps/cli/src/backup/', 'files of a backup'],
  ['apps/cli/src/edge/', 'responses of the core, and the encrypted files of the edge'],
  ['apps/cli/src/command-reference.ts', 'a page of the documentation'],
  ['apps/cli/src/start/', 'files and logs that `strata start` writes'],
  ['apps/cli/src/core/http-request.ts', 'responses of Strata'],
  ['apps/cli/src/core/sign-ins.ts', 'the file of `strata login`'],
  ['apps/gateway/src/console/console-files.ts', 'the built console'],
  ['apps/gateway/src/playground/playground.ts', 'the files of the playground'],
];

export interface DecoderUse {
  readonly file: string;
  readonly line: number;
}

/** Returns the places of one file that decode bytes. */
export function findDecodings(file: string, content: string): readonly DecoderUse[] {
  if (EXEMPT.some(([start]) => file.startsWith(start))) return [];
  return content
    .split('\n')
    .flatMap((text, at) => (DECODERS.some(({ pattern }) => pattern.test(text)) ? [{ file, line: at + 1 }] : []));
}

function check(): void {
  const files = ['apps', 'libs', 'integrations']
    .flatMap((folder) =>
      fs
        .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => path.posix.join(folder, file.split(path.sep).join('/'))),
    )
    .filter(
      (file) => /\/src\/.*\.(tsx?|mjs)$/.test(file) && !/spec\.ts$|\/testing\/|node_modules|\.d\.m?ts$/.test(file),
    );
  const decodings = files.flatMap((file) => findDecodings(file, fs.readFileSync(path.join(root, file), 'utf8')));
  const advice = 'use decodeText of libs/domain, which rejects bytes that are not UTF-8';
  for (const { file, line } of decodings) console.error(`${file}:${line}: ${advice}`);
  process.exitCode = decodings.length > 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.filename === fs.realpathSync(process.argv[1])) check();
