/**
 * Starts a measurement, and returns a function that returns the milliseconds that this thread has worked since then,
 * without other work on the machine. Older versions of Node do not report the time of a thread, so it returns the time
 * during which the event loop was not idle.
 */
export function measureThreadTime(): () => number {
  if (typeof process.threadCpuUsage === 'function') {
    const before = process.threadCpuUsage();
    return () => {
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    };
  }
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).active;
}
