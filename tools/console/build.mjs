// Builds the console: hashed files, each also compressed with gzip and brotli, which the gateway serves as they are,
// and the texts of the GraphQL documents, which only the gateway reads. Nx runs it with the project as working
// directory.
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { documentTexts, ensureDocuments } from './documents.mjs';
import { groups } from './groups.mjs';

const root = path.join(import.meta.dirname, '..', '..');
const project = path.join(root, 'apps', 'console');
const dist = path.join(project, 'dist');
const cache = path.join(root, 'node_modules', '.cache', 'strata');
/** Matches the files to compress. Fonts are already compressed, and files smaller than a packet gain nothing. */
const COMPRESSED = /\.(html|js|css|svg)$/;
const SMALL = 1_024;

await ensureDocuments();

// Tests also run this build, so they test what users get.
process.env.NODE_ENV = 'production';

// Builds into another directory first, so that a gateway that serves the console at the same time always serves a
// complete one.
fs.mkdirSync(cache, { recursive: true });
const draft = fs.mkdtempSync(path.join(cache, 'console-'));
try {
  await build({
    root: project,
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: draft,
      emptyOutDir: true,
      target: 'es2023',
      // The content security policy does not allow data: URIs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        output: { codeSplitting: { groups } },
        // Some packages mark files with "use client" for server rendering, which the console does not use.
        onwarn: (warning, tell) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && tell(warning),
      },
    },
  });
  fs.writeFileSync(path.join(draft, 'documents.json'), JSON.stringify(documentTexts()));
  await Promise.all(filesBelow(draft).map((file) => compress(path.join(draft, file))));
  putInPlace(filesBelow(draft));
} finally {
  fs.rmSync(draft, { recursive: true, force: true });
}

function filesBelow(directory) {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)));
}

async function compress(file) {
  const content = fs.readFileSync(file);
  if (!COMPRESSED.test(file) || content.length < SMALL) return;
  const [small, smaller] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  ]);
  fs.writeFileSync(`${file}.gz`, small);
  fs.writeFileSync(`${file}.br`, smaller);
}

/**
 * Writes the HTML page last, because it refers to the other files. Then removes files that are no longer part of the
 * console.
 */
function putInPlace(files) {
  const ofPage = (file) => file.startsWith('index.html');
  for (const file of [...files.filter((file) => !ofPage(file)), ...files.filter(ofPage)]) {
    fs.mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
    fs.renameSync(path.join(draft, file), path.join(dist, file));
  }
  for (const file of filesBelow(dist)) if (!files.includes(file)) fs.rmSync(path.join(dist, file), { force: true });
}
