// The website of the documentation: every page below docs/ as HTML, with relative links, so that it works under any address.
import fs from 'node:fs';
import path from 'node:path';
import { anchorOf } from './links.ts';

const INDEX = 'docs/README.md';

export default function config(eleventy) {
  eleventy.addGlobalData('layout', 'page.njk');
  eleventy.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        addressOf(page.inputPath),
  );
  eleventy.addGlobalData('eleventyComputed', {
    title: ({ page }) => /^# (.+)$/m.exec(page.rawInput)?.[1].replaceAll('`', ''),
    address: ({ page }) => addressOf(page.inputPath),
    top: ({ page }) => path.posix.relative(path.posix.dirname(addressOf(page.inputPath)), '.') || '.',
    sections: () => sectionsOf(fs.readFileSync(INDEX, 'utf8')),
  });
  eleventy.addPassthroughCopy({ 'docs/pictures': 'pictures', 'tools/docs/site.css': 'site.css' });
  eleventy.addPassthroughCopy({ 'docs/openapi.json': 'openapi.json', 'docs/schema.graphql': 'schema.graphql' });
  eleventy.addWatchTarget('tools/docs/');
  // Eleventy cannot parse TypeScript, and watches the folder anyway.
  eleventy.setWatchJavaScriptDependencies(false);
  eleventy.amendLibrary('md', (markdown) => {
    markdown.set({ html: false });
    markdown.core.ruler.push('links', rewriteLinks);
    markdown.core.ruler.push('anchors', addAnchors);
  });
  return { dir: { includes: '../tools/docs' }, markdownTemplateEngine: false, htmlTemplateEngine: false };
}

/** `./docs/adr/README.md` becomes `adr/index.html`. */
const addressOf = (file) => htmlOf(path.posix.relative('docs', file));

const htmlOf = (file) => file.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

/** The navigation is the index page: its sections with the pages that they link. */
function sectionsOf(markdown) {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n')[0],
      pages: [...section.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g)].map(([, title, file]) => ({
        title,
        address: htmlOf(file),
      })),
    }));
}

/** A page links other pages by their source file. Files outside of docs/ are not part of the website. */
function rewriteLinks(state) {
  const folder = path.posix.dirname(path.posix.normalize(state.env.page.inputPath));
  for (const { children } of state.tokens) {
    const opened = [];
    for (const token of children ?? []) {
      if (token.type === 'link_open') opened.push(rewriteLink(token, folder));
      if (token.type === 'link_close') token.tag = opened.pop();
    }
  }
}

function rewriteLink(token, folder) {
  const href = token.attrGet('href');
  if (/^[a-z]+:/.test(href)) return token.tag;
  const [file, anchor] = href.split('#');
  if (!path.posix.join(folder, file).startsWith('docs')) {
    token.tag = 'span';
    token.attrs = [];
  } else {
    token.attrSet('href', anchor === undefined ? htmlOf(file) : `${htmlOf(file)}#${anchor}`);
  }
  return token.tag;
}

function addAnchors({ tokens }) {
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[at + 1].content));
  }
}
