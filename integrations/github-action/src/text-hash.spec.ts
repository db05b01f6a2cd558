import { isTextHash, textHash } from './text-hash.ts';

const plan = (read: string, name = 'PORT') => `Changes of objects: 1\n  delete Value ${name} in shop / default${read}`;

test('a program that reads a value while the pull request is open does not change the hash of its deletion', () => {
  const hash = textHash(plan(''));
  expect(isTextHash(hash)).toBe(true);
  for (const minute of ['10:00', '10:01'])
    for (const end of ['', '\nNotified webhooks: 0'])
      expect(textHash(plan(` (last read by web at 2026-11-27T${minute}Z)`) + end)).toBe(textHash(plan('') + end));
});

test('another deletion has another hash', () => {
  const read = ' (last read by web at 2026-11-27T10:00Z)';
  expect(textHash(plan(read, 'HOST'))).not.toBe(textHash(plan(read)));
  expect(textHash(`${plan(read)}\n  delete Value HOST in shop / default`)).not.toBe(textHash(plan(read)));
});
