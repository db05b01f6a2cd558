/**
 * Milliseconds that this thread itself works until the returned function is called: others on the same machine do not
 * count. Older Nodes cannot tell a thread's own time, and say how long the event loop was not idle.
 */
export function ownTime(): () => number {
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
