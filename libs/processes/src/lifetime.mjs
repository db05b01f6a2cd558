// Limits the lifetime of our processes to that of their parents. It has no dependencies and runs on the system's Node.
import fs from 'node:fs';

/**
 * Calls `stop` once when a signal ends this process or when its parent has ended. npm passes a SIGTERM only to its own
 * shell, so a script under npm detects it by losing its parent.
 */
export function onEnd(stop) {
  let isEnding = false;
  const finish = (reason) => {
    if (isEnding) return;
    isEnding = true;
    stop(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => finish(signal));
  const parent = process.ppid;
  // Process 1 is not watched: its child is a container's entry point, or a service that was detached on purpose.
  if (parent > 1) setInterval(() => process.ppid === parent || finish('SIGTERM'), 250).unref();
}

/** Returns whether a process exists and is not a zombie waiting to be collected. */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}
