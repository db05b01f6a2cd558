import fs from 'node:fs';
import { completeReference, REFERENCE } from './command-reference.ts';

test('the reference of the command line describes every command, argument and option', async () => {
  const page = fs.readFileSync(REFERENCE, 'utf8');
  expect(await completeReference(page)).toBe(page);
});
