import type { ImportItem, ItemKind } from '@strata/import';

/** The name of each kind of object, in the order of the plan. */
export const KINDS: Readonly<Record<ItemKind, string>> = {
  environment: 'Environment',
  type: 'Type',
  project: 'Project',
  parameter: 'Parameter',
  rule: 'Rule',
  value: 'Value',
  template: 'Template',
  tag: 'Tag',
  group: 'Group',
  grant: 'Grant',
  webhook: 'Webhook',
};

/** Returns the scopes that contain an object, such as `shop, production`. */
export const describeLocation = ({ kind, project, environment }: ImportItem): string =>
  [kind === 'project' ? undefined : project, kind === 'environment' ? undefined : environment]
    .filter((name) => name !== undefined)
    .join(', ');
