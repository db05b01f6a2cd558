import { sharedResource } from './shared-resources.ts';

/** Builds apps if their sources are newer than their last build. Checks each app once per run. */
export async function buildMissingApps(...apps: readonly string[]): Promise<void> {
  await sharedResource('build', { apps });
}
