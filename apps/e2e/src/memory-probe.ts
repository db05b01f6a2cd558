/**
 * This module is loaded into a service before it starts. It reports the peak memory of the process since the last report, in bytes. It
 * samples the memory itself, because the peak that the operating system records may include the process that started this one.
 */
const LOOK_EVERY_MS = 10;

let most = 0;

setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, LOOK_EVERY_MS).unref();

process.on('message', (message) => {
  if (message !== 'most memory') return;
  process.send?.({ mostMemory: Math.max(most, process.memoryUsage.rss()) });
  most = 0;
});
