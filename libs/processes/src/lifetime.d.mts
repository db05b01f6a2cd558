/** Calls `stop` once, when this process receives a signal to end or when its parent has ended. */
export function onEnd(stop: (signal: NodeJS.Signals) => void): void;
/** Returns whether a process exists and is not a zombie. */
export function isAlive(pid: number): boolean;
