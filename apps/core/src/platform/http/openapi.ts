import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { openApiDocument } from '@strata/contract';
import { stringify } from 'yaml';

export interface Served {
  readonly body: string | Buffer;
  readonly etag: string;
}

export type SchemaFormat = 'json' | 'yaml';

const WRITERS: Readonly<Record<SchemaFormat, () => string>> = {
  json: () => `${JSON.stringify(openApiDocument({ version: 'v1' }))}\n`,
  yaml: () => stringify(openApiDocument({ version: 'v1' }), { aliasDuplicateObjects: false, lineWidth: 0 }),
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Strata: REST API</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  </head>
  <body>
    <div id="page"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/page.js"></script>
  </body>
</html>
`;

/** Nothing that is typed into the page is kept, so a credential ends with the tab. */
const PAGE_SCRIPT = `SwaggerUIBundle({
  url: '/api/schema/?format=json',
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

const packaged = (name: string) => () => {
  const directory = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return readFileSync(path.join(directory, name));
};

const FILES: Readonly<Record<string, { readonly type: string; readonly read: () => string | Buffer }>> = {
  '': { type: 'text/html; charset=utf-8', read: () => PAGE },
  'page.js': { type: 'text/javascript; charset=utf-8', read: () => PAGE_SCRIPT },
  'swagger-ui.css': { type: 'text/css; charset=utf-8', read: packaged('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8', read: packaged('swagger-ui-bundle.js') },
};

/** Made when first asked for, and the same bytes from then on. */
const made = new Map<string, Served>();

function remembered(key: string, make: () => string | Buffer): Served {
  const known = made.get(key);
  if (known) return known;
  const body = make();
  const served = { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` };
  made.set(key, served);
  return served;
}

/** The description as docs/openapi.json keeps it, one member a line so that changes can be read. */
export const printedOpenApi = (): string => `${JSON.stringify(openApiDocument({ version: 'v1' }), null, 2)}\n`;

/** The description of the API: equal data in both formats. */
export function schemaText(format: SchemaFormat): Served {
  return remembered(`schema.${format}`, WRITERS[format]);
}

/** A file of the page with which people try the API, or null. */
export function docsFile(name: string): (Served & { readonly type: string }) | null {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  return file ? { type: file.type, ...remembered(`docs/${name}`, file.read) } : null;
}
