import fs from 'node:fs';
import { generateFiles } from './noun-data.ts';

test.each(Object.entries(generateFiles()))('%s is what the contract describes', (file, text) => {
  expect(fs.readFileSync(file, 'utf8')).toBe(text);
});
