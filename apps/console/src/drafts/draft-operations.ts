import { type Draft, type Drafts, draftKey } from './draft.ts';

/** One operation of a changeset, as `applyChangeset` takes it. */
export interface DraftOperation {
  readonly as?: string;
  readonly operation?: string;
  readonly path?: unknown;
  readonly body?: unknown;
  readonly set?: {
    readonly project: string;
    readonly environment: string;
    readonly values: Readonly<Record<string, string | null>>;
    readonly createMissing?: boolean;
  };
  readonly unset?: { readonly project: string; readonly environment: string; readonly names: readonly string[] };
}

/** An operation with the drafts that it carries out, by the names that its refusals use. */
export interface PlannedOperation {
  readonly operation: DraftOperation;
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * What drafts come to. Texts are set by names, those of one project and environment together; a parameter that is inherited
 * gets one that overrides it. A dynamic text is a value of its own, since names alone set literal texts.
 * Drafts whose text is not known any more come to nothing: see `isReady`.
 */
export function operationsOf(drafts: Drafts): readonly PlannedOperation[] {
  const ready = [...drafts.values()].filter(isReady);
  const isDynamic = ({ wish }: Draft) => wish.kind === 'set' && wish.dynamic;
  const made = new Map<string, string>();
  const dynamic = ready.filter(isDynamic).flatMap((draft) => dynamicOperations(draft, made));
  const byPlace = Map.groupBy(
    ready.filter((draft) => !isDynamic(draft)),
    ({ projectId, environmentId, isForeign, wish }) =>
      [projectId, environmentId, wish.kind === 'unset' ? 'unset' : isForeign].join(' '),
  );
  return [...dynamic, ...[...byPlace.values()].flatMap(operationByNames)];
}

/** Whether everything about a draft is known, so that it can be applied. */
export const isReady = ({ wish }: Draft): boolean => wish.kind !== 'retype';

/** The revision that all drafts were made at or after: whatever was written since must not be overwritten unseen. */
export function baseRevisionOf(drafts: Drafts): number | null {
  const revisions = [...drafts.values()].map(({ base }) => base.revision);
  return revisions.length === 0 ? null : Math.min(...revisions);
}

interface RefusedField {
  readonly field: string;
  readonly message: string;
}

/** Why drafts are refused, by their keys; `others` is what no single draft can be blamed for. */
export function refusalsOf(
  planned: readonly PlannedOperation[],
  fields: readonly RefusedField[],
): { readonly byKey: ReadonlyMap<string, string>; readonly others: readonly string[] } {
  const byKey = new Map<string, string>();
  const others: string[] = [];
  for (const { field, message } of fields) {
    const [, index, member = ''] = /^operations\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
    const keys = index === undefined ? undefined : planned[Number(index)]?.keys;
    const named = keys?.get(member);
    const blamed = named === undefined ? (keys ? [...new Set(keys.values())] : []) : [named];
    if (blamed.length === 0) others.push(message);
    for (const key of blamed) byKey.set(key, [byKey.get(key), message].filter(Boolean).join(' '));
  }
  return { byKey, others };
}

function operationByNames(drafts: readonly Draft[]): readonly PlannedOperation[] {
  const [first] = drafts;
  if (!first) return [];
  const { projectId: project, environmentId: environment, isForeign, wish } = first;
  const keys = new Map(drafts.map((draft) => [draft.name, draftKey(draft)]));
  if (wish.kind === 'unset') {
    return [{ operation: { unset: { project, environment, names: drafts.map(({ name }) => name) } }, keys }];
  }
  const values = Object.fromEntries(
    drafts.map(({ name, wish: { ...of } }) => [name, of.kind === 'set' ? of.text : null]),
  );
  return [{ operation: { set: { project, environment, values, ...(isForeign && { createMissing: true }) } }, keys }];
}

const PARAMETER = 'projects_parameters';

/** `made` are the parameters that operations before make, by what they override. */
function dynamicOperations(draft: Draft, made: Map<string, string>): readonly PlannedOperation[] {
  const { projectId, parameterId, environmentId, name, isSecret, isForeign, wish, base } = draft;
  const keys = new Map([['internal_value', draftKey(draft)]]);
  const content = { internal_value: wish.kind === 'set' ? wish.text : null, interpolated: true };
  if (base.valueId !== null && !isForeign) {
    const path = { project_pk: projectId, parameter_pk: parameterId, id: base.valueId };
    return [{ operation: { operation: `${PARAMETER}_values_partial_update`, path, body: content }, keys }];
  }
  const value = (parameter: unknown): PlannedOperation => ({
    operation: {
      operation: `${PARAMETER}_values_create`,
      path: { project_pk: projectId, parameter_pk: parameter },
      body: { ...content, environment: `/api/v1/environments/${environmentId}/` },
    },
    keys,
  });
  if (!isForeign) return [value(parameterId)];
  const overridden = `${projectId} ${parameterId}`;
  const known = made.get(overridden);
  if (known !== undefined) return [value({ $ref: known })];
  const as = `override${made.size + 1}`;
  made.set(overridden, as);
  const path = { project_pk: projectId };
  const parameter = {
    operation: { as, operation: `${PARAMETER}_create`, path, body: { name, secret: isSecret } },
    keys,
  };
  return [parameter, value({ $ref: as })];
}
