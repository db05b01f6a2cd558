import type { ChangesetOperations } from '../../kit/planned/planned-change.tsx';
import type { LintRule } from '../../lib/lint-rules.ts';

/** The properties of a finding that determine its fix. */
export interface Fixable {
  readonly kind: LintRule;
  readonly parameterId: string;
  readonly valueId: string | null;
  readonly environments: readonly { readonly environmentName: string }[];
  readonly operations: readonly {
    readonly operation: string;
    readonly path: unknown;
    readonly query: unknown;
    readonly body: unknown;
  }[];
}

/** Returns a key of a finding that is the same after the finding is loaded again. */
export const fixKey = ({ kind, parameterId, valueId, environments }: Fixable): string =>
  [kind, parameterId, valueId ?? '', ...environments.map(({ environmentName }) => environmentName)].join(' ');

/** Returns the operations that fix the findings, without duplicates. */
export function fixesFor(findings: readonly Fixable[]): ChangesetOperations {
  const operations = findings.flatMap((finding) =>
    finding.operations.map(({ operation, path, query, body }) => ({
      operation,
      path,
      ...(query !== null && query !== undefined && { query }),
      ...(body !== null && body !== undefined && { body }),
    })),
  );
  return [...new Map(operations.map((operation) => [JSON.stringify(operation), operation])).values()];
}

interface NamedFix extends Fixable {
  readonly name: string;
  readonly detail: string;
}

/** Describes the fixes, without duplicates. */
export const describeFixes = (findings: readonly NamedFix[]): readonly string[] => [
  ...new Set(
    findings.flatMap((finding) => finding.operations.map(({ operation }) => describeOperation(operation, finding))),
  ),
];

function describeOperation(operation: string, { name, environments, detail }: NamedFix): string {
  const places = environments.map(({ environmentName }) => environmentName).join(', ');
  switch (operation) {
    case 'projects_parameters_values_destroy':
      return `Delete the value of ${name} in ${places}`;
    case 'projects_parameters_destroy':
      return `Delete the parameter ${name}`;
    default:
      return `Fix: ${detail}`;
  }
}
