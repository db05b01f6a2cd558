import type { SamplePlatform } from '../../apps/console/src/features/first-run/sample-platform/shape.ts';
import type { Connection } from './client.mjs';

/** Makes what is missing, tells after each part, and returns how many objects were made. */
export function load(
  api: Connection,
  tell: (what: string, holds: string, created: number) => void,
  platform?: SamplePlatform,
): Promise<number>;
