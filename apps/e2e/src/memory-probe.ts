/**
 * Loaded into a service before it: tells whoever asks the most memory that its process has held at a time since it was last
 * asked, in bytes. What an operating system notes by itself may include the process that started this one.
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
