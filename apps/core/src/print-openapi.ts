import { writeFileSync } from 'node:fs';
import { printedOpenApi } from './platform/http/openapi.ts';

/** Refreshes docs/openapi.json. Run after a build: `node apps/core/build/print-openapi.js`. */
writeFileSync(new URL('../../../docs/openapi.json', import.meta.url), printedOpenApi());
