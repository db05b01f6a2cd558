import { heapTrouble } from './heap-ceiling.ts';

const MB = 1_048_576;

it('accepts a process that was started with its heap limit', () => {
  expect(heapTrouble((320 + 96) * MB, 320)).toBeNull();
  expect(heapTrouble((320 + 48) * MB, 320)).toBeNull();
});

it('explains how to start a process that has no heap limit', () => {
  expect(heapTrouble(4_192 * MB, 320)).toContain('4192 MB');
  expect(heapTrouble(4_192 * MB, 1_024)).toContain('--max-old-space-size=1024');
});
