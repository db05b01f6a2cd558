// npm run docs: builds the website of the documentation in dist/docs, with a search index. `-- --serve` serves it and
// rebuilds it after changes, and `-- --output <folder>` chooses another folder.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensure, ensureToolPackages, root } from '../ensure.mjs';

const PORT = 8090;

const { values: options } = parseArgs({
  options: { serve: { type: 'boolean' }, output: { type: 'string', default: path.join(root, 'dist', 'docs') } },
});
await ensure();
await ensureToolPackages('tools/docs');
const { default: Eleventy } = await import('@11ty/eleventy');
const pagefind = await import('pagefind');
const { listBrokenLinks, listPages } = await import('./links.ts');

const broken = listPages(root).flatMap((page) => listBrokenLinks(root, page).map((link) => `${page}: ${link}`));
if (broken.length > 0) {
  console.error(['These links lead nowhere:', ...broken].join('\n  '));
  process.exit(1);
}

process.chdir(root);
fs.rmSync(options.output, { recursive: true, force: true });
const site = new Eleventy('docs', path.relative(root, options.output), {
  configPath: 'tools/docs/eleventy.config.mjs',
  quietMode: true,
  source: 'script',
  runMode: options.serve ? 'serve' : 'build',
});
if (options.serve) {
  await site.init();
  await site.watch();
} else {
  await site.write();
}
const pages = await writeSearchIndex();
console.log(`${pages} pages in ${path.relative(root, options.output)}`);
if (options.serve) await site.serve(PORT);

/**
 * Pagefind indexes the elements with `data-pagefind-body`. It also provides the search page, which needs no internet
 * access.
 */
async function writeSearchIndex() {
  const { index } = await pagefind.createIndex();
  const { page_count } = await index.addDirectory({ path: options.output });
  await index.writeFiles({ outputPath: path.join(options.output, 'pagefind') });
  await pagefind.close();
  return page_count;
}
