import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

const ROUTES = path.resolve(import.meta.dirname, '../../console/src/app/routes');

/** The pages without the navigation. */
const OUTSIDE = /^\/(sign-in|invitations|command-line)/;

/** Returns the paths of all pages inside the console. */
export function routePaths(): readonly string[] {
  const texts = fs.readdirSync(ROUTES).map((file) => fs.readFileSync(path.join(ROUTES, file), 'utf8'));
  const paths = texts.flatMap((text) =>
    [...text.matchAll(/^ {2}path: '(.*)',$/gm)].map(([, routePath = '']) => routePath),
  );
  // One route has no path: the parent of all others.
  const count = texts.reduce((sum, text) => sum + text.split('createRoute({').length - 1, 0) - 1;
  if (paths.length !== count) throw new Error(`${count} routes, but ${paths.length} paths`);
  return paths.filter((routePath) => !OUTSIDE.test(routePath));
}

/** Waits until a page has loaded its content. */
export async function waitForContent(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { document } = globalThis as unknown as {
      document: { querySelector(selector: string): { textContent: string } | null };
    };
    const text = document.querySelector('main')?.textContent.trim() ?? '';
    return text !== '' && !/Loading|Checking all/.test(text);
  });
}
