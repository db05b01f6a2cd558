import type { ImportItem, ItemKind } from '@strata/import';

/** The plural of each kind of object, in the order of the plan. */
export const KINDS: Readonly<Record<ItemKind, string>> = {
  environment: 'Environments',
  type: 'Types',
  project: 'Projects',
  parameter: 'Parameters',
  rule: 'Rules',
  value: 'Values',
  template: 'Templates',
  tag: 'Tags',
  group: 'Groups',
  grant: 'Grants',
  webhook: 'Webhooks',
};

/** Returns where an object is, such as `shop, production`. */
export const placeOf = ({ kind, project, environment }: ImportItem): string =>
  [kind === 'project' ? undefined : project, kind === 'environment' ? undefined : environment]
    .filter((name) => name !== undefined)
    .join(', ');
