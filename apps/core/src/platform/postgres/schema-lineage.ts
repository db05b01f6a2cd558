/** The schema that a database reports. */
export interface AppliedSchema {
  /** The names of the applied migrations in order. */
  readonly migrations: readonly string[];
  /** The number of the last migration that a core must know to work with it; null if the database does not say. */
  readonly servesCoresFrom: number | null;
}

/** The schema that a core was built for: the names of its migrations in order, and the number of the last one. */
export interface KnownSchema {
  readonly migrations: readonly string[];
  readonly number: number;
}

/** The relation between the schema of a database and the schema that this code was built for. */
export type SchemaLineage =
  | { readonly is: 'current' }
  /** The schema is ahead but still supports this code. */
  | { readonly is: 'ahead'; readonly by: readonly string[] }
  /** Sentences for the operator. */
  | { readonly is: 'incompatible'; readonly because: string };

export const NOT_MIGRATED = 'The schema is not current. Run the migration first: strata migrate';

export function schemaLineage(
  { migrations: appliedMigrations, servesCoresFrom }: AppliedSchema,
  knownSchema: KnownSchema,
): SchemaLineage {
  const at = appliedMigrations.findIndex(
    (name, index) => index < knownSchema.migrations.length && name !== knownSchema.migrations[index],
  );
  if (at >= 0) {
    const because = `The schema belongs to another service: its migration ${at + 1} is ${appliedMigrations[at]}, and here it is ${knownSchema.migrations[at]}.`;
    return { is: 'incompatible', because };
  }
  if (appliedMigrations.length < knownSchema.migrations.length) return { is: 'incompatible', because: NOT_MIGRATED };
  const furtherMigrations = appliedMigrations.slice(knownSchema.migrations.length);
  if (furtherMigrations.length === 0) return { is: 'current' };
  if (servesCoresFrom !== null && servesCoresFrom <= knownSchema.number) return { is: 'ahead', by: furtherMigrations };
  const neededText = servesCoresFrom === null ? 'all of them' : `migration ${servesCoresFrom}`;
  const because = `The schema is ahead of this core (${furtherMigrations.join(', ')}) and serves only cores that know ${neededText}; this one knows those up to ${knownSchema.number}. Start a newer release of the core.`;
  return { is: 'incompatible', because };
}
