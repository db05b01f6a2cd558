import type { ProviderName } from '@strata/contract';
import { asSentence, Failure, isKnownScheme, isWithin, type OrganizationId, parseFqn, sentence } from '@strata/domain';

/** Runs a SQL statement, inside or outside of a write. */
export type RunStatement = <Row extends object>(sql: string, values: unknown[]) => Promise<Row[]>;

/** An integration that a location belongs to. */
export interface LocatedIntegration {
  readonly id: string;
  readonly provider: ProviderName;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly fqn: string;
  /** Whether nothing may be read or written, because an operator has to continue after a restore. */
  readonly isHeld: boolean;
}

/** The error for operations that the provider of an integration does not support in Strata. */
export const NO_CLOUD_ACCESS = {
  code: 'no_cloud_access',
  detail: 'Strata does not support this for the provider. Nothing was read or written there.',
} as const;

/**
 * Finds the integration of a location. Throws E46 if no provider supports the location, and E47 if the organization has
 * no integration for it.
 */
export async function findIntegration(
  run: RunStatement,
  organizationId: OrganizationId,
  fqn: string,
): Promise<LocatedIntegration> {
  const parsed = parseFqn(fqn);
  if (parsed === null || !isKnownScheme(parsed.scheme)) {
    throw new Failure({
      kind: 'not_found',
      code: 'unknown_provider',
      message:
        'No provider supports this location. Write it as scheme://authority/path with the scheme aws, azure, google or github.',
    });
  }
  const integrations = await run<LocatedIntegration>(
    'select id, provider, settings, fqn, held_because is not null as "isHeld" from integration where organization_id = $1',
    [organizationId],
  );
  const match = integrations.find((integration) => isWithin(fqn, integration.fqn));
  if (match) return match;
  throw new Failure({
    kind: 'not_found',
    code: 'no_integration',
    message: sentence`There is no integration for \`${{ location: fqn.trim() }}\`. Create one first.`,
  });
}

/** Returns the error for a location without content (E48). `hint` is a sentence that says what to do. */
export function missingContentError(fqn: string, hint: string): Failure {
  return new Failure({
    kind: 'not_found',
    code: 'external_content_missing',
    message: sentence`There is no content at \`${{ location: fqn }}\`. ${asSentence(hint)}`,
  });
}
