import { randomUUID } from 'node:crypto';
import type { AppliedChangeset, Project } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';

/** A configuration with every state that a cell can have. Its secrets are canaries. */
export interface ConsolePlatform {
  readonly organization: TestOrganization;
  readonly web: Project;
  readonly secret: string;
}

/**
 * Creates `base`, and `web` that depends on it. The environments are those of a new organization (development, production and staging below
 * default).
 */
export async function createPlatform(organization: TestOrganization): Promise<ConsolePlatform> {
  const secret = `canary-${randomUUID()}`;
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  const production = await organization.environmentNamed('production');
  const value = async (project: Project, name: string, internal_value: string | null, extraFields: object = {}) => {
    const { interpolated = false, ...of } = extraFields as { interpolated?: boolean };
    const parameter = await organization.parameter({ project, name, ...of });
    await organization.value({ parameter, internal_value, interpolated });
    return parameter;
  };
  const greeting = await value(web, 'GREETING', 'hello');
  await organization.value({ parameter: greeting, environment: production, internal_value: 'good day' });
  await value(web, 'PORT', '80', { type: 'integer' });
  await value(web, 'TOKEN', secret, { secret: true });
  await value(web, 'LINK', 'http://{{ GREETING }}', { interpolated: true });
  await value(web, 'NOTHING', null);
  await value(web, 'BLANK', '');
  await organization.parameter({ project: web, name: 'UNSET' });
  await value(base, 'REGION', 'north');
  return { organization, web, secret };
}

/** Applies a changeset and returns its revision. Throws if the core rejects it. */
export async function applyChangesetTo(
  organization: TestOrganization,
  operations: readonly object[],
  message?: string,
): Promise<number> {
  const response = await organization.owner.post<AppliedChangeset>('changesets/', { operations, message });
  if (response.status !== 201) throw new Error(response.text);
  return response.body.revision;
}
