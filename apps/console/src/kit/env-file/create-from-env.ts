import type { EnvLine, InferredTypes, TextReferences } from '@strata/import';
import { applyChangeset } from '../../data/changesets.ts';
import { operationMember } from '../../lib/operation-error.ts';
import { WriteError } from '../../lib/request-error.ts';

export interface EnvProject {
  /** The name of the project. */
  readonly project: string;
  /** Whether the project must be created. */
  readonly isNew: boolean;
  /** The name of the environment in which the values are set. */
  readonly environment: string;
  readonly lines: readonly EnvLine[];
  /** The names of the secret parameters. */
  readonly secrets: ReadonlySet<string>;
  /** The types of parameters that are not strings. */
  readonly types: InferredTypes;
  /** The lines whose references are resolved. */
  readonly resolved: ReadonlyMap<EnvLine, TextReferences>;
}

/** Creates the parameters of a file, and the project if necessary, as one changeset. */
export function createFromEnv(content: EnvProject): Promise<number> {
  const { project, isNew, environment, lines, secrets, types, resolved } = content;
  const values = lines.map((line) => {
    const { name, text } = line;
    const secret = secrets.has(name);
    const dynamicText = secret ? undefined : resolved.get(line)?.dynamicText;
    const type = types.get(name);
    const literal = { value: text, secret, ...(type && { type }) };
    return [name, dynamicText === undefined ? literal : { value: dynamicText, interpolated: true }];
  });
  return applyChangeset({
    message: `${project} from a .env file`,
    operations: [
      ...(isNew ? [{ operation: 'projects_create', as: 'project', body: { name: project } }] : []),
      {
        set: {
          project: isNew ? { $ref: 'project' } : project,
          environment,
          createMissing: true,
          values: Object.fromEntries(values),
        },
      },
    ],
  });
}

/** Returns the error messages by the name of a parameter or a field. */
export function errorsByName(error: unknown): ReadonlyMap<string, string> {
  const fieldErrors = error instanceof WriteError ? error.fieldErrors : [];
  // The first operation creates the project if it is new. If it is rejected, the errors of the parameters are only consequences.
  const located = fieldErrors.map((entry) => ({ ...entry, operation: operationMember(entry) }));
  const first = located.filter(({ operation }) => operation?.index === 0);
  return new Map(
    (first.length > 0 ? first : located).map(({ operation, field, detail }) => [operation?.member || field, detail]),
  );
}
