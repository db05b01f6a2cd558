import { writeFileSync } from 'node:fs';
import { printedSchema } from './schema.ts';

/** Refreshes docs/schema.graphql. Run after a build: `node apps/gateway/build/print-schema.js`. */
writeFileSync(new URL('../../../docs/schema.graphql', import.meta.url), printedSchema());
