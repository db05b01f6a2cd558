/**
 * Loaded into a service before it: tells whoever asks for it the longest time that its main thread has worked without
 * anybody else being served. It is the thread's own processor time, so that it does not count when the machine was
 * busy with others; and at most what happens between two looks more than it really was.
 */
const LOOK_EVERY_MS = 2;

let longest = 0;
let before = process.threadCpuUsage();

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  longest = Math.max(longest, (user + system) / 1_000);
}, LOOK_EVERY_MS).unref();

process.on('message', (message) => {
  if (message !== 'longest turn') return;
  process.send?.({ longestBlockMs: longest });
  longest = 0;
});
