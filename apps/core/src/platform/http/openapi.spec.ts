import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { printedOpenApi, schemaText } from './openapi.ts';

describe('the description of the API', () => {
  it('is the one in docs/openapi.json; if not: node apps/core/dist/print-openapi.js', () => {
    const kept = readFileSync(new URL('../../../../../docs/openapi.json', import.meta.url), 'utf8');

    expect(printedOpenApi()).toBe(kept);
  });

  it('says the same in JSON and in YAML', () => {
    expect(parse(String(schemaText('yaml').body))).toEqual(JSON.parse(String(schemaText('json').body)));
  });
});
