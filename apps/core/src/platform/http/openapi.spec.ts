import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { printedOpenApi, schemaText } from './openapi.ts';

describe('the description of the API', () => {
  it('is equal to docs/openapi.json; if not: node apps/core/dist/print-openapi.js', () => {
    const committed = readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');

    expect(printedOpenApi()).toBe(committed);
  });

  it('has the same content in JSON and in YAML', () => {
    expect(parse(String(schemaText('yaml').body))).toEqual(JSON.parse(String(schemaText('json').body)));
  });
});
