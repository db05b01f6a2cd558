/** Calls `stop` once, when a signal asks this process to end or when its parent is gone. */
export function onEnd(stop: (signal: NodeJS.Signals) => void): void;
/** Whether a process exists and is not a zombie. */
export function isAlive(pid: number): boolean;
