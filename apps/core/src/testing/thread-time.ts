/**
 * Starts to measure, and returns a function that returns the milliseconds of work of this thread, without other work on
 * the machine. Older versions of Node do not report a thread's own time, so the time that the event loop was not idle
 * is used.
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
