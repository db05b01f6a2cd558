import { z } from 'zod';

/** The members of a GitHub integration, as the contract names them. */
const Settings = z.object({ gh_installation_id: z.int().positive() });

export interface GitHubSettings {
  readonly installationId: number;
}

/** Returns null if no installation can have the id. */
export function readGitHubSettings(settings: Readonly<Record<string, unknown>>): GitHubSettings | null {
  const parsed = Settings.safeParse(settings);
  return parsed.success ? { installationId: parsed.data.gh_installation_id } : null;
}
