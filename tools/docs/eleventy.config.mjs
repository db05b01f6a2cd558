// The website of the documentation: every page below docs/ as HTML, with relative links, so that it works under any address.
import fs from 'node:fs';
import path from 'node:path';
import { configureMarkdown, htmlAddress } from './markdown.mjs';

const INDEX = 'docs/README.md';

export default function config(eleventy) {
  eleventy.addGlobalData('layout', 'page.njk');
  eleventy.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        pageAddress(page.inputPath),
  );
  eleventy.addGlobalData('eleventyComputed', {
    title: ({ page }) => /^# (.+)$/m.exec(page.rawInput)?.[1].replaceAll('`', ''),
    address: ({ page }) => pageAddress(page.inputPath),
    top: ({ page }) => path.posix.relative(path.posix.dirname(pageAddress(page.inputPath)), '.') || '.',
    sections: () => parseSections(fs.readFileSync(INDEX, 'utf8')),
  });
  eleventy.addPassthroughCopy({ 'docs/pictures': 'pictures', 'tools/docs/site.css': 'site.css' });
  eleventy.addPassthroughCopy({ 'docs/openapi.json': 'openapi.json', 'docs/schema.graphql': 'schema.graphql' });
  eleventy.addWatchTarget('tools/docs/');
  // Eleventy cannot parse TypeScript, and watches the folder anyway.
  eleventy.setWatchJavaScriptDependencies(false);
  eleventy.amendLibrary('md', (markdown) => {
    // Files outside of docs/ are not part of the website.
    configureMarkdown(markdown, (file) => file.startsWith('docs'));
  });
  return { dir: { includes: '../tools/docs' }, markdownTemplateEngine: false, htmlTemplateEngine: false };
}

/** `./docs/adr/README.md` becomes `adr/index.html`. */
const pageAddress = (file) => htmlAddress(path.posix.relative('docs', file));

/** The navigation is the index page: its sections with the pages that they link. */
function parseSections(markdown) {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n')[0],
      pages: [...section.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)].map(([, title, file]) => ({
        title,
        address: htmlAddress(file),
      })),
    }));
}
