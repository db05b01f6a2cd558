import { formatCount } from '@strata/domain';
import { type ImportItem, ITEM_KINDS, type ItemEffect } from '@strata/import';
import { toOneLine } from '../core/one-line.ts';
import { tableText } from './table.ts';

const EFFECTS: Readonly<Record<ItemEffect, string>> = {
  created: 'NEW',
  changed: 'DIFFERENT',
  secret: 'EXISTING SECRETS',
  unchanged: 'UNCHANGED',
  conflict: 'CONFLICTS',
  skipped: 'LEFT OUT',
};
const LISTED_MAX = 100;

interface PlanOptions {
  /** Whether the snapshot has grants, which only Strata writes. */
  readonly hasGrants: boolean;
  /** The number of objects that will be imported. */
  readonly count: number;
  readonly overwrite?: boolean;
  readonly overwriteSecrets?: boolean;
}

/** Returns the plan of an import: names and reasons, never a value. */
export function renderImportPlan(plan: readonly ImportItem[], options: PlanOptions): string {
  const itemsWithEffect = (effect: ItemEffect) => plan.filter((item) => item.effect === effect);
  const { overwrite = false, overwriteSecrets = false } = options;
  return [
    countsTable(plan),
    ...(options.hasGrants
      ? []
      : [
          'The snapshot has no grants: every member can read the imported projects, also those that were restricted at the source.',
        ]),
    ...listed('Conflicts, which are not imported', itemsWithEffect('conflict')),
    ...listed('Left out, because they cannot be imported', itemsWithEffect('skipped')),
    ...listed(
      'Different from the source after the import',
      plan.filter(({ difference }) => difference !== undefined),
    ),
    ...listed(overwrite ? 'Overwritten' : 'Different, and kept without --overwrite', itemsWithEffect('changed')),
    ...listed(
      overwriteSecrets ? 'Existing secrets, which are set again' : 'Existing secrets, kept without --overwrite-secrets',
      itemsWithEffect('secret'),
    ),
    `To import: ${formatCount(options.count, 'object')}`,
  ].join('\n\n');
}

function countsTable(plan: readonly ImportItem[]): string {
  const occurring = <Word extends string>(texts: readonly Word[], member: 'kind' | 'effect') =>
    texts.filter((word) => plan.some((item) => item[member] === word));
  const effects = occurring(Object.keys(EFFECTS) as ItemEffect[], 'effect');
  const rows = occurring(ITEM_KINDS, 'kind').map((kind) => [
    `${kind}s`,
    ...effects.map((effect) => String(plan.filter((item) => item.kind === kind && item.effect === effect).length)),
  ]);
  return tableText(['', ...effects.map((effect) => EFFECTS[effect])], rows);
}

function listed(title: string, items: readonly ImportItem[]): readonly string[] {
  if (items.length === 0) return [];
  const lines = items.slice(0, LISTED_MAX).map((item) => {
    const reason = item.reason ?? item.difference;
    return `  ${itemText(item)}${reason === undefined ? '' : `: ${toOneLine(reason)}`}`;
  });
  const moreCount = items.length - lines.length;
  return [
    [`${title}:`, ...lines, ...(moreCount > 0 ? [`  … and ${moreCount} more, which --json lists`] : [])].join('\n'),
  ];
}

/** Returns an item as a text, such as `value PORT in shop / production`. */
export function itemText({ kind, name, project, environment }: ImportItem): string {
  const scope = [project, environment].filter((part) => part !== undefined && part !== name).join(' / ');
  return toOneLine(`${kind} ${name}${scope ? ` in ${scope}` : ''}`);
}

/** Returns an item for --json, without ids and values. */
export const jsonItem = ({ kind, name, project, environment, effect, reason, difference }: ImportItem) => ({
  ...{ kind, name, project, environment, effect, reason, difference },
});

/** Returns the number of objects for each effect. */
export const countEffects = (plan: readonly ImportItem[]): Readonly<Record<ItemEffect, number>> => {
  const totals = { created: 0, changed: 0, secret: 0, unchanged: 0, conflict: 0, skipped: 0 };
  for (const { effect } of plan) totals[effect] += 1;
  return totals;
};
