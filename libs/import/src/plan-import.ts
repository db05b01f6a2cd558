import { parseInstant } from '@strata/domain';
import type { ImportItem, ObjectLink } from './import-item.ts';
import { nameClashes } from './name-clash.ts';
import { createProtector, planGrants, planGroups, planRestrictions } from './people-items.ts';
import type { Platform, PlatformType, PlatformWebhook, SkippedObject } from './platform.ts';
import type { ExistingState } from './present.ts';
import { planContents } from './project-items.ts';
import { planRules } from './rule-items.ts';
import { ENVIRONMENTS, PROJECTS, planTree, type TreePlan, TYPES } from './tree-items.ts';

/**
 * Compares a platform with the state of an organization. Returns what an import creates and changes, in an order in which it can be
 * applied, and what it leaves out. Nothing is ever deleted.
 */
export function planImport(platform: Platform, existingState: ExistingState): readonly ImportItem[] {
  const environments = planTree(ENVIRONMENTS, platform.environments, existingState.environments);
  const types = planTree(TYPES, platform.types, existingState.types);
  const rows = platform.projects.map(({ dependsOn, ...project }) => ({ ...project, parent: dependsOn }));
  const projects = planTree(PROJECTS, rows, existingState.projects);
  const groups = planGroups(platform, existingState);
  const scopes = { environments, projects, groups };
  const restrictions = planRestrictions(platform, existingState, scopes);
  const protectedItem = createProtector(platform, restrictions);
  const projectRestrictions = (name: string) => restrictions.filter(({ project }) => project === name);
  return [
    ...environments.items,
    ...restrictions.filter(({ project }) => project === undefined),
    ...types.items,
    ...platform.types.flatMap((type) => typeRules(type, types, existingState)),
    ...platform.projects.flatMap((project) => {
      const link = projects.links.get(project.name);
      const projectItems = projects.items.filter(({ name }) => name === project.name);
      if (link === undefined) return projectItems;
      const context = { project, link, environments: environments.links, types: types.links };
      const contents = planContents(context, existingState.contents.get(project.name));
      return [...projectItems, ...projectRestrictions(project.name), ...contents.map(protectedItem)];
    }),
    ...(platform.skipped ?? []).map(skippedItem),
    ...planTags(platform, existingState, environments.links),
    ...groups.items,
    ...planGrants(platform, existingState, scopes, restrictions),
    ...(platform.webhook ? planWebhook(platform.webhook, existingState) : []),
  ];
}

function typeRules(
  { name, rules }: PlatformType,
  types: TreePlan,
  existingState: ExistingState,
): readonly ImportItem[] {
  const link = types.links.get(name);
  if (link === undefined) return [];
  const owner = { part: TYPES.partOf(name), name, collection: 'types_rules', path: { parametertype_pk: link } };
  return planRules(owner, rules, existingState.types.get(name)?.rules);
}

const skippedItem = (skippedObject: SkippedObject): ImportItem => ({
  key: ['skipped:', skippedObject.kind, skippedObject.project, skippedObject.name, skippedObject.environment].join(
    '\n',
  ),
  part: skippedObject.project ?? TYPES.partOf(skippedObject.name),
  effect: 'skipped',
  ...skippedObject,
});

function planTags(
  { tags = [] }: Platform,
  existingState: ExistingState,
  environments: ReadonlyMap<string, ObjectLink>,
): readonly ImportItem[] {
  return [...Map.groupBy(tags, ({ environment }) => environment)].flatMap(([environment, environmentTags]) => {
    const link = environments.get(environment);
    const existingTags = existingState.tags.get(environment) ?? new Map<string, string>();
    const clash = nameClashes({ existing: existingTags.keys(), imported: environmentTags.map(({ name }) => name) });
    return environmentTags.map(({ name, description, timestamp, immutable }): ImportItem => {
      const base = { key: `tag:${environment}\n${name}`, part: 'tags', kind: 'tag', name, environment } as const;
      const time = existingTags.get(name);
      if (time !== undefined) {
        if (isSameInstant(time, timestamp)) return { ...base, effect: 'unchanged' };
        return {
          ...base,
          effect: 'conflict',
          reason: `Its time is ${time} here and ${timestamp} in the source. It stays; change the tag if you want the other time.`,
        };
      }
      const reason = link === undefined ? `The environment ${environment} is not imported.` : clash(name);
      if (link === undefined || reason !== null) return { ...base, effect: 'conflict', reason: reason ?? undefined };
      const body = { name, description, timestamp, immutable };
      const operation = { operation: 'environments_tags_create', path: { environment_pk: link }, body };
      return { ...base, effect: 'created', operation };
    });
  });
}

const isSameInstant = (first: string, secondInstant: string): boolean =>
  (parseInstant(first) ?? first) === (parseInstant(secondInstant) ?? secondInstant);

function planWebhook(webhook: PlatformWebhook, existingState: ExistingState): readonly ImportItem[] {
  const { name, channel, username, eventTypes: event_types, token } = webhook;
  const base = { key: `webhook:${name}`, part: 'webhook', kind: 'webhook', name } as const;
  if (existingState.webhooks.has(name)) return [{ ...base, effect: 'unchanged' }];
  const body = { name, event_types, type: 'slack', configuration: { token: token(), channel, username } };
  return [{ ...base, effect: 'created', operation: { operation: 'webhooks_create', body } }];
}
