import { z } from 'zod';

/** The members of a Google integration, as the contract names them. */
const Settings = z.object({
  google_project_id: z.string(),
  resource_tags: z.record(z.string(), z.string()).default({}),
});

/** An id with other characters could change the path of a request. */
const PROJECT_ID = /^[a-z][a-z\d-]{4,28}[a-z\d]$/;

export interface GoogleSettings {
  readonly project: string;
  readonly labels: Readonly<Record<string, string>>;
}

export function readGoogleSettings(settings: Readonly<Record<string, unknown>>): GoogleSettings {
  const { google_project_id: project, resource_tags: labels } = Settings.parse(settings);
  return { project, labels };
}

export const isProjectId = (text: string): boolean => PROJECT_ID.test(text);
