import { type Draft, type Drafts, draftKey } from './draft.ts';
import { type ErrorEntry, operationMember } from './operation-error.ts';

/** An operation of a changeset, as `applyChangeset` accepts it. */
export interface DraftOperation {
  readonly as?: string;
  readonly operation?: string;
  readonly path?: unknown;
  readonly body?: unknown;
  /** The version of the value that the operation expects; `*` if no value may exist. */
  readonly ifMatch?: string;
  readonly ifNoneMatch?: '*';
  readonly set?: {
    readonly project: string;
    readonly environment: string;
    readonly values: Readonly<Record<string, ExpectedValue>>;
    readonly createMissing?: boolean;
  };
}

type ExpectedValue = {
  readonly value: string | null;
  readonly interpolated?: boolean;
  readonly secret?: boolean;
} & ({ readonly if_match: string } | { readonly if_none_match: '*'; readonly type?: string | undefined });

/** An operation, with the keys of its drafts by the names that error messages contain. */
export interface PlannedOperation {
  readonly operation: DraftOperation;
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * Returns the operations that apply drafts. Texts of the same project and environment are set by name in one operation, which also creates
 * overrides of inherited parameters, and new parameters. Dynamic texts come last, because they can refer to new parameters. Each operation
 * expects the version on which its draft is based, so that newer changes are never overwritten. Incomplete drafts (see `isComplete`) have
 * no operation.
 */
export function draftOperations(drafts: Drafts): readonly PlannedOperation[] {
  const readyDrafts = [...drafts.values()].filter(isComplete);
  const byName = readyDrafts.filter(({ edit }) => edit.kind === 'null' || edit.kind === 'set');
  const byPlace = Map.groupBy(byName, (draft) =>
    [draft.projectId, draft.environmentId, createsParameter(draft), isDynamic(draft)].join(' '),
  );
  const groups = [...byPlace.values()].sort(([a], [b]) => Number(a && isDynamic(a)) - Number(b && isDynamic(b)));
  const literal = new Set(byName.filter((draft) => !isDynamic(draft)).map(parameterKey));
  const isCreated = (draft: Draft) => draft.edit.kind === 'create' || (draft.isNew === true && isDynamic(draft));
  const draftsOfNewParameters = Map.groupBy(readyDrafts.filter(isCreated), parameterKey);
  return [
    ...[...draftsOfNewParameters].flatMap(([key, [draft]]) => (draft && !literal.has(key) ? creation(draft) : [])),
    ...readyDrafts.filter(({ edit }) => edit.kind === 'unset').flatMap(removal),
    ...groups.flatMap(operationByNames),
  ];
}

const isDynamic = ({ edit }: Draft): boolean => edit.kind === 'set' && edit.dynamic;
const createsParameter = ({ isForeign, isNew }: Draft): boolean => isForeign || isNew === true;
const parameterKey = ({ projectId, parameterId }: Draft): string => `${projectId} ${parameterId}`;

/** Returns whether a draft is complete and can be applied. */
export const isComplete = ({ edit }: Draft): boolean => edit.kind !== 'retype';

/** Returns the errors of drafts by draft key. `others` contains the errors that belong to no single draft. */
export function groupErrorsByDraft(
  plannedOperations: readonly PlannedOperation[],
  errors: readonly ErrorEntry[],
): { readonly byKey: ReadonlyMap<string, string>; readonly others: readonly string[] } {
  const byKey = new Map<string, string>();
  const otherErrors: string[] = [];
  for (const error of errors) {
    const { detail: message } = error;
    const operation = operationMember(error);
    const keys = operation === null ? undefined : plannedOperations[operation.index]?.keys;
    const draftKeyOfMember = keys?.get(operation?.member ?? '');
    const blamed = draftKeyOfMember === undefined ? (keys ? [...new Set(keys.values())] : []) : [draftKeyOfMember];
    if (blamed.length === 0) otherErrors.push(message);
    for (const key of blamed) byKey.set(key, [byKey.get(key), message].filter(Boolean).join(' '));
  }
  return { byKey, others: otherErrors };
}

function operationByNames(drafts: readonly Draft[]): readonly PlannedOperation[] {
  const [first] = drafts;
  if (!first) return [];
  const { projectId: project, environmentId: environment } = first;
  const keys = new Map(drafts.map((draft) => [draft.name, draftKey(draft)]));
  const values = Object.fromEntries(drafts.map((draft) => [draft.name, expectedValue(draft)]));
  return [
    {
      operation: { set: { project, environment, values, ...(createsParameter(first) && { createMissing: true }) } },
      keys,
    },
  ];
}

function expectedValue({ edit, base: { ledgerId }, isNew, isSecret: secret, type }: Draft): ExpectedValue {
  const text = edit.kind === 'set' ? edit.text : null;
  const value = { value: text, ...(edit.kind === 'set' && edit.dynamic && { interpolated: true }) };
  if (isNew) return { ...value, secret, type, if_none_match: '*' };
  // Another user may have replaced the parameter by one that is not secret. The core then rejects the text.
  const expected = { ...value, ...(secret && { secret }) };
  return ledgerId === null ? { ...expected, if_none_match: '*' } : { ...expected, if_match: ledgerId };
}

/** Returns the operation that creates a parameter. */
function creation(draft: Draft): PlannedOperation {
  const { projectId, name, isSecret, type } = draft;
  const body = { name, secret: isSecret, ...(type !== undefined && { type }) };
  return {
    operation: { operation: `${PARAMETER}_create`, path: { project_pk: projectId }, body },
    keys: new Map([['name', draftKey(draft)]]),
  };
}

function removal(draft: Draft): readonly PlannedOperation[] {
  const { projectId, parameterId, name, base } = draft;
  if (base.valueId === null) return [];
  const path = { project_pk: projectId, parameter_pk: parameterId, id: base.valueId };
  const operation = { operation: `${PARAMETER}_values_destroy`, path, ...expected(base) };
  return [{ operation, keys: new Map([[name, draftKey(draft)]]) }];
}

const expected = ({ ledgerId }: Draft['base']) =>
  ledgerId === null ? ({ ifNoneMatch: '*' } as const) : { ifMatch: ledgerId };

const PARAMETER = 'projects_parameters';
