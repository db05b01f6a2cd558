import { readFileSync } from 'node:fs';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { parse } from 'yaml';
import { printedOpenApi, schemaText } from './openapi.ts';

describe('the description of the API', () => {
  it('is equal to docs/openapi.json; if not: node apps/core/dist/print-openapi.js', () => {
    const committed = readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');

    expect(printedOpenApi()).toBe(committed);
  });

  it.each([
    ['YAML 1.2', (source: string) => parse(source)],
    ['YAML 1.1', (source: string) => load(source, { schema: YAML11_SCHEMA })],
  ])('has the same content in JSON and for a reader of %s', (_, read) => {
    expect(read(String(schemaText('yaml').body))).toEqual(JSON.parse(String(schemaText('json').body)));
  });
});
