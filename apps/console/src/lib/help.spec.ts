import fs from 'node:fs';
import path from 'node:path';
import { HELP_PAGES, helpFor } from './help.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../../docs');
const ROUTES = path.resolve(import.meta.dirname, '../app/routes');

describe('the help', () => {
  const routes = fs.readdirSync(ROUTES).map((file) => fs.readFileSync(path.join(ROUTES, file), 'utf8'));

  it.each(Object.entries(HELP_PAGES))('links the page %s to %s, and both exist', (route, address) => {
    const [page = '', anchor] = address.split('#');
    const text = fs.readFileSync(path.join(DOCS, page.replace(/\.html$/, '.md')), 'utf8');

    if (anchor !== undefined) expect(text.toLowerCase()).toContain(`\n## ${anchor.replaceAll('-', ' ')}\n`);
    expect(page).toMatch(/^(guides|reference)\//);
    expect(routes.join('\n')).toContain(`path: '${route}'`);
  });

  it.each([
    ['/', '/help/reference/console.html#home'],
    ['/projects/$name/lint', '/help/guides/search-and-lint.html'],
    ['/projects/$name/templates/$template/edit', '/help/guides/write-a-template.html'],
    ['/projects/$name/', '/help/guides/change-values.html'],
    ['/unknown', '/help/reference/console.html'],
  ])('for the route %s is %s', (route, address) => {
    expect(helpFor(route)).toBe(address);
  });
});
