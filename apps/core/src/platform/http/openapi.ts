import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from '@strata/contract';
import { yamlDocument } from '@strata/domain';
import { SWAGGER_UI_FOLDER } from '../../folders.ts';

export interface ServedDocument {
  readonly body: string | Buffer;
  readonly etag: string;
}

export type SchemaFormat = 'json' | 'yaml';

const WRITERS: Readonly<Record<SchemaFormat, () => string>> = {
  json: () => `${JSON.stringify(openApiDocument({ version: 'v1' }))}\n`,
  yaml: () => yamlDocument(openApiDocument({ version: 'v1' })),
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

/** The page does not store what you type, so a credential is gone when you close the tab. */
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

const packaged = (name: string) => () => readFileSync(path.join(SWAGGER_UI_FOLDER, name));

const FILES: Readonly<Record<string, { readonly type: string; readonly read: () => string | Buffer }>> = {
  '': { type: 'text/html; charset=utf-8', read: () => PAGE },
  'page.js': { type: 'text/javascript; charset=utf-8', read: () => PAGE_SCRIPT },
  'swagger-ui.css': { type: 'text/css; charset=utf-8', read: packaged('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: 'text/javascript; charset=utf-8', read: packaged('swagger-ui-bundle.js') },
};

/** Built at the first request. Later requests get the same bytes. */
const documents = new Map<string, ServedDocument>();

function cached(key: string, make: () => string | Buffer): ServedDocument {
  const existingDocument = documents.get(key);
  if (existingDocument) return existingDocument;
  const body = make();
  const servedDocument = { body, etag: `"${createHash('sha1').update(body).digest('base64url')}"` };
  documents.set(key, servedDocument);
  return servedDocument;
}

/** Returns the text of docs/openapi.json, with one member per line for readable diffs. */
export const printedOpenApi = (): string => `${JSON.stringify(openApiDocument({ version: 'v1' }), null, 2)}\n`;

/** Returns the description of the API; both formats contain the same data. */
export function schemaText(format: SchemaFormat): ServedDocument {
  return cached(`schema.${format}`, WRITERS[format]);
}

/** Returns a file of the page to try the API, or null. */
export function docsFile(name: string): (ServedDocument & { readonly type: string }) | null {
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  return file ? { type: file.type, ...cached(`docs/${name}`, file.read) } : null;
}
