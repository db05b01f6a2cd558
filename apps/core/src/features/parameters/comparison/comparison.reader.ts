import { Injectable } from '@nestjs/common';
import type { OrderBy, Parameter, ParameterDuality, ParameterDualityQuery } from '@strata/contract';
import { compareNames, Failure, jsonPointer, type ProjectId } from '@strata/domain';
import type { Caller } from '../../../platform/caller.ts';
import type { Links } from '../../../platform/http/links.ts';
import { pageInMemory } from '../../../platform/http/list-order.ts';
import type { PointerForField } from '../../../platform/http/points-in-time.ts';
import type { PageResult } from '../../../platform/postgres/snapshot-reader.ts';
import { ParametersReader } from '../parameters.reader.ts';

interface ComparedPointInTime {
  readonly as_of: string | undefined;
  readonly tag: string | undefined;
}

/** A pair, with the name as its sort key. */
export interface NamedPair {
  readonly name: string;
  readonly pair: ParameterDuality;
}

const NOTHING: PageResult<Parameter> = { revision: 0, count: 0, rows: [] };

/** Reads the parameters of a project at two points in time, and pairs them by name (behaviour.md §7.5). */
@Injectable()
export class ComparisonReader {
  constructor(private readonly parameters: ParametersReader) {}

  async page(
    caller: Caller,
    projectId: ProjectId,
    query: ParameterDualityQuery,
    links: Links,
  ): Promise<PageResult<NamedPair>> {
    assertConsistentQuery(query);
    const { t1_as_of, t1_tag, t2_as_of, t2_tag, difference, ...filters } = query;
    const at = (prefix: 't1' | 't2', { as_of, tag }: ComparedPointInTime) => {
      const queryWithoutCount = {
        page: 1,
        page_size: Number.MAX_SAFE_INTEGER,
        after: undefined,
        revision: undefined,
        difference: undefined,
      };
      const locate: PointerForField = (member) =>
        jsonPointer([member === 'environment' ? member : `${prefix}_${member}`]);
      return this.parameters.page(caller, projectId, { ...filters, ...queryWithoutCount, as_of, tag }, links, locate);
    };
    const secondSide = await at('t2', { as_of: t2_as_of, tag: t2_tag });
    const isBeforeEverything = t1_as_of === undefined && t1_tag === undefined;
    const firstSide = isBeforeEverything ? NOTHING : await orNothing(at('t1', { as_of: t1_as_of, tag: t1_tag }));
    const pairs = inOrder(pairedByName(firstSide.rows, secondSide.rows), query.ordering);
    const requestedPairs = difference ? pairs.filter((pair) => differs(pair, query.mask_secrets)) : pairs;
    const namedPairs = requestedPairs.map((pair) => ({ name: textOf(pair, 'name'), pair }));
    return { revision: secondSide.revision, ...pageInMemory(namedPairs, query, ({ name }) => [name]) };
  }
}

function assertConsistentQuery({ difference, values }: ParameterDualityQuery): void {
  if (!difference || values !== false) return;
  const message = 'difference compares the values: do not leave them out with values=false.';
  throw Failure.invalid('contradiction', message).at('/values');
}

/**
 * Returns an empty page if the project or the environment did not exist at that time, which is no error in a
 * comparison.
 */
async function orNothing(page: Promise<PageResult<Parameter>>): Promise<PageResult<Parameter>> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return NOTHING;
    throw error;
  }
}

function pairedByName(firstSide: readonly Parameter[], secondSide: readonly Parameter[]): ParameterDuality[] {
  const pairs = new Map<string, ParameterDuality>(firstSide.map((t1) => [t1.name, { t1, t2: null }]));
  for (const t2 of secondSide) pairs.set(t2.name, { t1: pairs.get(t2.name)?.t1 ?? null, t2 });
  return [...pairs.values()];
}

/**
 * Returns whether an effective value differs in any environment. If secrets are masked, returns false for secrets,
 * because masked texts cannot be compared.
 */
function differs({ t1, t2 }: ParameterDuality, maskSecrets: boolean): boolean {
  if (maskSecrets && [t1, t2].some((parameter) => parameter !== null && isSecret(parameter))) return false;
  if (t1 === null || t2 === null) return true;
  const environmentIds = new Set([...Object.keys(t1.values), ...Object.keys(t2.values)]);
  return [...environmentIds].some((environmentId) => textIn(t1, environmentId) !== textIn(t2, environmentId));
}

/**
 * Returns whether the effective values are secret. Their own parameters determine that; without values, the flag of the
 * visible parameter does.
 */
function isSecret({ secret, values_flat: values }: Parameter): boolean {
  return values.length === 0 ? secret : values.some((value) => value.secret);
}

/** Returns the text in an environment. Returns undefined if there is no value, and null for an explicit null. */
function textIn({ values }: Parameter, environmentId: string): string | null | undefined {
  return values[environmentId]?.value;
}

type Field = 'name' | 'description' | 'created_at' | 'modified_at';
const FIELDS: readonly Field[] = ['name', 'description', 'created_at', 'modified_at'];

/** Sorts by name by default. The fields of the later parameter of a pair determine its position. */
function inOrder(pairs: readonly ParameterDuality[], ordering: readonly OrderBy[] = []): ParameterDuality[] {
  const orders = ordering.flatMap(({ field, descending }) => {
    const sortField = FIELDS.find((name) => name === field);
    return sortField ? [{ field: sortField, sign: descending ? -1 : 1 }] : [];
  });
  const keys = [...orders, { field: 'name' as const, sign: 1 }];
  return [...pairs].sort((left, right) => {
    for (const { field, sign } of keys) {
      const result = sign * compareNames(textOf(left, field), textOf(right, field));
      if (result !== 0) return result;
    }
    return 0;
  });
}

function textOf({ t1, t2 }: ParameterDuality, field: Field): string {
  return (t2 ?? t1)?.[field] ?? '';
}
