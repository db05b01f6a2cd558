/** An object that an action deletes. */
export interface DeletedObject {
  readonly kind: 'project' | 'environment' | 'parameter' | 'type' | 'rule' | 'template' | 'tag';
  readonly name: string;
}

/** The number of effective values from which a deletion is large. */
export const LARGE_EFFECT = 20;

/**
 * Returns whether the user must type the name before the object is deleted: a project or an environment that is not empty, or anything
 * whose deletion changes many effective values. The numbers are those of the plan.
 */
export function isLargeDeletion(
  { kind }: DeletedObject,
  { changes, effectiveChanges }: { readonly changes: number; readonly effectiveChanges: number },
): boolean {
  const isScope = kind === 'project' || kind === 'environment';
  return effectiveChanges >= LARGE_EFFECT || (isScope && (changes > 1 || effectiveChanges > 0));
}
