import type { Connection } from './client.mjs';
import type { SeedOrganization } from './data/organization.mjs';

/** Makes what is missing, tells after each part, and returns how many objects were made. */
export function load(
  api: Connection,
  tell: (what: string, holds: string, created: number) => void,
  organization?: SeedOrganization,
): Promise<number>;
