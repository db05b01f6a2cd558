import fs from 'node:fs';
import { generatedFiles } from './noun-data.ts';

test.each(Object.entries(generatedFiles()))('%s is what the contract describes', (file, text) => {
  expect(fs.readFileSync(file, 'utf8')).toBe(text);
});
