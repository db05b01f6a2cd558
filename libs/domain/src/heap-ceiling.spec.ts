import { heapTrouble } from './heap-ceiling.ts';

const MB = 1_048_576;

it('a process that was started with its ceiling says nothing', () => {
  expect(heapTrouble((320 + 96) * MB, 320)).toBeNull();
  expect(heapTrouble((320 + 48) * MB, 320)).toBeNull();
});

it('one that was started without says how to start it', () => {
  expect(heapTrouble(4_192 * MB, 320)).toContain('4192 MB');
  expect(heapTrouble(4_192 * MB, 1_024)).toContain('--max-old-space-size=1024');
});
