import { parseEnvPreview, secretReason } from './env-lines.ts';

const SOURCE = `# the shop
PORT=8080
DB_PASSWORD=hunter2-and-more
PORT=8443
this is no assignment
EMPTY=
DATABASE_URL="postgres://shop:geheim1@db/shop"
`;

describe('the preview of a pasted .env file', () => {
  it('shows each line once, in order', () => {
    const { lines } = parseEnvPreview(SOURCE);

    expect(lines.map(({ line, name, text }) => [line, name, text])).toEqual([
      [2, 'PORT', '8080'],
      [3, 'DB_PASSWORD', 'hunter2-and-more'],
      [4, 'PORT', '8443'],
      [6, 'EMPTY', ''],
      [7, 'DATABASE_URL', 'postgres://shop:geheim1@db/shop'],
    ]);
  });

  it('reports which line is used for a repeated name', () => {
    const { lines, importable } = parseEnvPreview(SOURCE);

    expect(lines.filter(({ name }) => name === 'PORT').map(({ replacedIn }) => replacedIn)).toEqual([4, null]);
    expect(importable.filter(({ name }) => name === 'PORT').map(({ text }) => text)).toEqual(['8443']);
  });

  it('suggests secrets by name or value, with the reason', () => {
    const { importable } = parseEnvPreview(SOURCE);
    const reasons = importable.flatMap(({ name, looks }) =>
      looks === null ? [] : [`${name}: ${secretReason(looks)}`],
    );

    expect(reasons).toEqual(['DB_PASSWORD: named like a credential', 'DATABASE_URL: a password in a URL']);
  });

  it('leaves out invalid lines without repeating their text', () => {
    const { problems, importable } = parseEnvPreview(`${SOURCE}${'N'.repeat(300)}=hunter2\n`);

    expect(problems.map(({ line }) => line)).toEqual([5, 8]);
    expect(JSON.stringify(problems)).not.toMatch(/assignment|hunter2/);
    expect(importable.map(({ name }) => name)).toEqual(['DB_PASSWORD', 'PORT', 'EMPTY', 'DATABASE_URL']);
  });

  it.each(['constructor', '__proto__', 'prototype'])('rejects the name %s, which no changeset can set', (name) => {
    const { problems, importable } = parseEnvPreview(`${name}=1\ntoString=2\n`);
    expect([problems.map(({ line }) => line), importable.map((line) => line.name)]).toEqual([[1], ['toString']]);
  });

  it('is empty for an empty file', () => {
    expect(parseEnvPreview('')).toEqual({ lines: [], problems: [], skipped: [], importable: [] });
  });
});
