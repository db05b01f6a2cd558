import type { PushKey } from '@strata/contract';
import { toOneLine } from '../core/one-line.ts';
import { printTable } from './table.ts';

/** Prints keys of a push with their states. */
export function printKeys(keys: readonly PushKey[]): void {
  const cells = keys.map(({ key, state, action, reason, version, detail }) => [
    ...[toOneLine(key), state, action, reason, toOneLine(version ?? '')],
    toOneLine(detail ?? ''),
  ]);
  printTable(['KEY', 'STATE', 'NEXT RUN', 'REASON', 'VERSION', 'DETAIL'], cells);
}
