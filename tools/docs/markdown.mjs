// Turns pages below docs/ into HTML with relative links, for the website and for the help of the console.
import path from 'node:path';
import { headingAnchor } from './links.ts';

/** `adr/README.md` becomes `adr/index.html`. */
export const htmlAddress = (file) => file.replace(/(^|\/)README\.md$/, '$1index.html').replace(/\.md$/, '.html');

/** Configures markdown-it. Links to files that are not published become plain text. */
export function configureMarkdown(markdown, isPublished) {
  markdown.set({ html: false });
  markdown.core.ruler.push('links', (state) => rewriteLinks(state, isPublished));
  markdown.core.ruler.push('anchors', addAnchors);
  markdown.core.ruler.push('tables', makeTablesFocusable);
}

/** A page links other pages by their source file. */
function rewriteLinks(state, isPublished) {
  const folder = path.posix.dirname(path.posix.normalize(state.env.page.inputPath));
  for (const { children } of state.tokens) {
    const opened = [];
    for (const token of children ?? []) {
      if (token.type === 'link_open') opened.push(rewriteLink(token, folder, isPublished));
      if (token.type === 'link_close') token.tag = opened.pop();
    }
  }
}

function rewriteLink(token, folder, isPublished) {
  const href = token.attrGet('href');
  if (/^[a-z]+:/.test(href)) return token.tag;
  const [file, anchor] = href.split('#');
  if (file !== '' && !isPublished(path.posix.join(folder, file))) {
    token.tag = 'span';
    token.attrs = [];
  } else {
    token.attrSet('href', anchor === undefined ? htmlAddress(file) : `${htmlAddress(file)}#${anchor}`);
  }
  return token.tag;
}

function addAnchors({ tokens }) {
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', headingAnchor(tokens[at + 1].content));
  }
}

/** Wide tables scroll on their own, which needs the focus if you use the keyboard. */
function makeTablesFocusable({ tokens }) {
  for (const token of tokens) if (token.type === 'table_open') token.attrSet('tabindex', '0');
}
