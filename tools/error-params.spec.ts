import { readFileSync } from 'node:fs';
import { ERROR_INPUTS, ERROR_PARAMS } from '@strata/domain';

const page = readFileSync(new URL('../docs/reference/error-codes.md', import.meta.url), 'utf8');
const [codes = '', params = ''] = page.split('\n## Params\n');
const [, pointers = ''] = page.split('\n### Errors without a pointer\n');

const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
const listRows = (text: string) =>
  text.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|').slice(1, 3)] : []));

/** Codes that only appear in errors inside another response: of texts that are evaluated, and of skipped operations. */
const ELSEWHERE = [
  ...['control_character', 'evaluation', 'lone_surrogate', 'null_character', 'skipped', 'syntax', 'unknown_name'],
];

describe('the page of error codes', () => {
  it('lists every code that the core and the gateway send', () => {
    const described = new Set(listRows(codes).flatMap(([code]) => namesIn(code)));
    const sent = Object.keys(ERROR_PARAMS).filter((code) => !ELSEWHERE.includes(code));
    expect(sent.filter((code) => !described.has(code) && !codes.includes(`\`${code}\``))).toEqual([]);
  });

  it('lists the codes without a pointer as they are declared', () => {
    const described = namesIn(pointers.split('\n\n').find((paragraph) => paragraph.startsWith('`')));
    const declared = Object.entries(ERROR_INPUTS).filter(([, input]) => input === 'none');
    expect(described).toEqual(declared.map(([code]) => code));
  });

  it('lists the params of each code as they are declared', () => {
    const described = Object.fromEntries(listRows(params).map(([code, names]) => [namesIn(code)[0], namesIn(names)]));
    const declared = Object.entries(ERROR_PARAMS).filter(([, names]) => names.length > 0);
    expect(described).toEqual(Object.fromEntries(declared));
  });
});
