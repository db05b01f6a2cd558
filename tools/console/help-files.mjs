// Lists the pages of the documentation that the console serves as help.
import fs from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

/** Returns whether a page is for users. Decisions, the specification and explanations are not part of the help. */
export const isHelp = (file) => /^docs\/(README|tutorial|glossary|(guides|reference)\/[\w-]+)\.md$/.test(file);

/** Returns the paths of the pages, relative to the root of the repository. */
export const helpFiles = () =>
  fs
    .readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => path.posix.join('docs', file.replaceAll(path.sep, '/')))
    .filter(isHelp);
