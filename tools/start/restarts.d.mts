export interface RestartCounter {
  readonly falls: number;
  started(): void;
  fell(): number | null;
}
export function countRestarts(options: {
  readonly firstPauseMs: number;
  readonly longEnoughMs?: number;
  readonly now?: () => number;
}): RestartCounter;
