// Writes the guides and the reference as pages that the console links. They describe the installed version, and need no
// internet access.
import fs from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { configureMarkdown, htmlAddress } from '../docs/markdown.mjs';
import { helpFiles, isHelp } from './help-files.mjs';

const root = path.join(import.meta.dirname, '..', '..');
const STYLES = 'site.css';

/** Writes the pages and their styles to `help/` below a folder. */
export function writeHelp(folder) {
  const markdown = new MarkdownIt();
  configureMarkdown(markdown, isHelp);
  // The help has no pictures: the console itself shows what they show.
  markdown.renderer.rules.image = () => '';
  const target = path.join(folder, 'help');
  for (const file of helpFiles()) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    const address = htmlAddress(path.posix.relative('docs', file));
    fs.mkdirSync(path.dirname(path.join(target, address)), { recursive: true });
    fs.writeFileSync(
      path.join(target, address),
      renderPage(address, text, markdown.render(text, { page: { inputPath: file } })),
    );
  }
  fs.copyFileSync(path.join(root, 'tools', 'docs', STYLES), path.join(target, STYLES));
}

function renderPage(address, text, content) {
  const title = /^# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? 'Help';
  const top = path.posix.relative(path.posix.dirname(address), '.') || '.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')} · Strata</title>
<link rel="icon" href="/strata.svg" type="image/svg+xml">
<link rel="stylesheet" href="${top}/${STYLES}">
</head>
<body>
<header>
<a class="name" href="${top}/index.html">Strata documentation</a>
<a class="name" href="/">Console</a>
</header>
<main>
${content}
</main>
</body>
</html>
`;
}
