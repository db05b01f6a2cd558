import type { PushKey } from '@strata/contract';
import { oneLine } from '../core/one-line.ts';
import { printTable } from './table.ts';

/** Prints keys of a push with their states. */
export function printKeys(keys: readonly PushKey[]): void {
  const cells = keys.map(({ key, state, action, reason, version, detail }) => [
    ...[oneLine(key), state, action, reason, oneLine(version ?? '')],
    oneLine(detail ?? ''),
  ]);
  printTable(['KEY', 'STATE', 'NEXT RUN', 'REASON', 'VERSION', 'DETAIL'], cells);
}
