/**
 * A module that is loaded into a service before it starts. On request, it reports the longest time for which the main
 * thread was blocked. It measures the thread's own processor time, so other processes do not count. The result may be
 * too high by at most the time between two measurements.
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
