import { Failure, isKnownScheme, isWithin, type OrganizationId, parseFqn } from '@strata/domain';

/** How a statement is run; inside a write or outside. */
export type RunStatement = <Row extends object>(sql: string, values: unknown[]) => Promise<Row[]>;

/** What is said wherever something of a cloud would be needed. */
export const NO_CLOUD_ACCESS = {
  code: 'no_cloud_access',
  detail: 'Strata does not reach out to clouds: nothing was read or written there.',
} as const;

/** The integration that a place belongs to: E46 when nobody could have one, E47 when there is none. */
export async function integrationOf(
  run: RunStatement,
  organizationId: OrganizationId,
  fqn: string,
): Promise<{ fqn: string }> {
  const parsed = parseFqn(fqn);
  if (parsed === null || !isKnownScheme(parsed.scheme)) {
    throw new Failure(
      'not_found',
      'unknown_provider',
      'There is no provider for this place. Write it as scheme://authority/path with the scheme aws, azure or github.',
    );
  }
  const integrations = await run<{ fqn: string }>('select fqn from integration where organization_id = $1', [
    organizationId,
  ]);
  const found = integrations.find((integration) => isWithin(fqn, integration.fqn));
  if (found) return found;
  throw new Failure('not_found', 'no_integration', `There is no integration for \`${fqn.trim()}\`. Make one first.`);
}

/** Looking around ends here: the place is nobody's, or it is somebody's and out of reach. */
export async function rejectExploration(
  run: RunStatement,
  organizationId: OrganizationId,
  fqn: string,
): Promise<never> {
  await integrationOf(run, organizationId, fqn);
  throw new Failure('forbidden', NO_CLOUD_ACCESS.code, NO_CLOUD_ACCESS.detail);
}

/** Refuses external content (E48): a value cannot be of content that nobody has fetched, however good its place is. */
export async function rejectExternalContent(
  run: RunStatement,
  organizationId: OrganizationId,
  fqn: string,
): Promise<never> {
  await integrationOf(run, organizationId, fqn);
  throw new Failure(
    'not_found',
    'external_content_missing',
    `There is no content of \`${fqn.trim()}\` here. ${NO_CLOUD_ACCESS.detail} Give the text as internal_value.`,
  );
}
