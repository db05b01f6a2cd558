import type { ImportItem, ObjectLink } from './import-item.ts';
import type { PlatformRules } from './platform.ts';
import type { ExistingRule } from './present.ts';

/** The type or the parameter that has the rules. */
interface RuleOwner {
  readonly part: string;
  readonly name: string;
  readonly project?: string;
  /** The prefix of the operations: `types_rules` or `projects_parameters_rules`. */
  readonly collection: string;
  readonly path: Readonly<Record<string, ObjectLink>>;
}

/** Plans the rules of a type or of a parameter. Existing rules that the platform does not have stay. */
export function planRules(
  { part, name, project, collection, path }: RuleOwner,
  rules: PlatformRules,
  currentRules: ReadonlyMap<string, ExistingRule> = new Map(),
): readonly ImportItem[] {
  return Object.entries(rules).map(([type, constraint]): ImportItem => {
    const existingRules = currentRules.get(type);
    const key = ['rule:', project ?? '', name, type].join('\n');
    const base = { key, part, kind: 'rule', name: `${name} ${type}`, project } as const;
    if (!existingRules) {
      const operation = { operation: `${collection}_create`, path, body: { type, constraint } };
      return { ...base, effect: 'created', operation };
    }
    if (existingRules.constraint === constraint) return { ...base, effect: 'unchanged' };
    const operation = {
      operation: `${collection}_partial_update`,
      path: { ...path, id: existingRules.id },
      body: { constraint },
    };
    return { ...base, effect: 'changed', before: existingRules.constraint, after: constraint, operation };
  });
}
