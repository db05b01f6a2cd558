// Finds the links between pages of the documentation, for the tests of the pages and the build of the website.
import fs from 'node:fs';
import path from 'node:path';

/** Returns the anchor of a heading as GitHub and the website create it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Returns the files below docs/ that are pages, as paths from the root of the project. */
export const pagesOf = (root: string): readonly string[] =>
  fs
    .readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file));

/** Returns the local links and images of a page. */
export function localLinksOf(root: string, page: string): readonly string[] {
  const links = [...proseOf(root, page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

/** Returns the local links of a page whose file or heading does not exist. */
export const brokenLinksOf = (root: string, page: string): readonly string[] =>
  localLinksOf(root, page).filter((link) => isBroken(root, page, link));

/** Returns the target file of a link as a path from the root of the project. */
export function targetOf(page: string, link: string): string {
  const [file = ''] = link.split('#');
  return file === '' ? page : path.join(path.dirname(page), file);
}

function isBroken(root: string, page: string, link: string): boolean {
  const target = targetOf(page, link);
  const [, anchor] = link.split('#');
  if (!fs.existsSync(path.join(root, target))) return true;
  return anchor !== undefined && !anchorsOf(root, target).includes(anchor);
}

/** Returns the anchors of the headings of a page. */
export const anchorsOf = (root: string, page: string): readonly string[] =>
  [...proseOf(root, page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Code blocks contain neither headings nor links. */
const proseOf = (root: string, page: string): string =>
  fs.readFileSync(path.join(root, page), 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, '');
