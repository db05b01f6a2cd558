import { heapLimitProblem } from './heap-limit.ts';

const MB = 1_048_576;

it('accepts a process that was started with its heap limit', () => {
  expect(heapLimitProblem((320 + 96) * MB, 320)).toBeNull();
  expect(heapLimitProblem((320 + 192) * MB, 320)).toBeNull();
  expect(heapLimitProblem((320 + 48) * MB, 320)).toBeNull();
});

it('explains how to start a process that has no heap limit', () => {
  expect(heapLimitProblem(4_192 * MB, 320)).toContain('4192 MB');
  expect(heapLimitProblem(4_192 * MB, 1_024)).toContain('--max-old-space-size=1024');
});
