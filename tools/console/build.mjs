// Builds the console: hashed files, each also compressed with gzip and brotli, which the gateway serves as they are,
// and the texts of the GraphQL documents, which only the gateway reads. Nx runs it with the project as working
// directory.
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { buildInto, filesBelow } from '../build-into.mjs';
import { recordPackages } from '../bundled-packages.mjs';
import { documentTexts, ensureDocuments } from './documents.mjs';
import { groups } from './groups.mjs';
import { writeHelp } from './help.mjs';

const root = path.join(import.meta.dirname, '..', '..');
const project = path.join(root, 'apps', 'console');
/** Matches the files to compress. Fonts are already compressed, and files smaller than a packet gain nothing. */
const COMPRESSED = /\.(html|js|css|svg)$/;
const SMALL = 1_024;

await ensureDocuments();

// Tests also run this build, so they test what users get.
process.env.NODE_ENV = 'production';

await buildInto(
  path.join(project, 'dist'),
  async (draft) => {
    const { output } = await build({
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
    recordPackages('console', output);
    writeHelp(draft);
    fs.writeFileSync(path.join(draft, 'documents.json'), JSON.stringify(documentTexts()));
    await Promise.all(filesBelow(draft).map((file) => compress(path.join(draft, file))));
  },
  // The page refers to the other files.
  { isLast: (file) => file.startsWith('index.html') },
);

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
