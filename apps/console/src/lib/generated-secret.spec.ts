import { generatedSecret } from './generated-secret.ts';

it('a generated secret has 32 letters and digits of each kind, and is never the same', () => {
  const secrets = Array.from({ length: 100 }, generatedSecret);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[A-Za-z0-9]{32}$/);
    for (const kind of [/[a-z]/, /[A-Z]/, /\d/]) expect(secret).toMatch(kind);
  }
  expect(new Set(secrets).size).toBe(100);
});
