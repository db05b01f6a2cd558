import type { RestConnection } from '@strata/import';
import type { SamplePlatform } from '../../apps/console/src/features/first-run/sample-platform/shape.ts';
import type { Connection } from './client.mjs';

/** Creates the objects that are missing, reports each part, and returns the number of created objects. */
export function load(
  api: Connection,
  onPart: (part: string, created: number) => void,
  platform?: SamplePlatform,
): Promise<number>;

/** Returns the connection of an import. */
export function importConnection(api: Connection): RestConnection;
