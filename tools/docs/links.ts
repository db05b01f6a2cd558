// Finds the links between pages of the documentation, for the tests of the pages and the build of the website.
import fs from 'node:fs';
import path from 'node:path';

/** Returns the anchor of a heading as GitHub and the website create it. */
export const headingAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the files below docs/ that are pages, as paths from the root of the project. */
export const listPages = (root: string): readonly string[] =>
  fs
    .readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file));

/** Returns the local links and images of a page. */
export function listLocalLinks(root: string, page: string): readonly string[] {
  const links = [...readProse(root, page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

/** Returns the local links of a page whose file or heading does not exist. */
export const listBrokenLinks = (root: string, page: string): readonly string[] =>
  listLocalLinks(root, page).filter((link) => isBroken(root, page, link));

/** Returns the target file of a link as a path from the root of the project. */
export function linkTarget(page: string, link: string): string {
  const [file = ''] = link.split('#');
  return file === '' ? page : path.join(path.dirname(page), file);
}

function isBroken(root: string, page: string, link: string): boolean {
  const target = linkTarget(page, link);
  const [, anchor] = link.split('#');
  if (!fs.existsSync(path.join(root, target))) return true;
  return anchor !== undefined && !listAnchors(root, target).includes(anchor);
}

/** Returns the anchors of the headings of a page. */
export const listAnchors = (root: string, page: string): readonly string[] =>
  [...readProse(root, page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => headingAnchor(heading));

/** Code blocks contain neither headings nor links. */
const readProse = (root: string, page: string): string =>
  fs.readFileSync(path.join(root, page), 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, '');
