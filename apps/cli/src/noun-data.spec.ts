import fs from 'node:fs';
import { NOUN_DATA, nounFile } from './noun-data.ts';

test('the commands for administration have every noun of the contract that people can address', () => {
  expect(fs.readFileSync(NOUN_DATA, 'utf8')).toBe(nounFile());
});
