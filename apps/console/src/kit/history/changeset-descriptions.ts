import { formatCount } from '../../lib/format-count.ts';

/** The properties of a change that its description uses. */
export interface DescribedChange {
  readonly action: string;
  readonly objectType: string;
  readonly objectName: string;
  readonly projectName: string | null;
  readonly environmentName: string | null;
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  pull: 'pulled',
  push: 'pushed',
};

/** Returns the verb of an action. Actions without a verb are shown by name. */
export const describeAction = (action: string): string => VERBS[action] ?? action.replaceAll('_', ' ');

/** The words for kinds of objects that differ from the name of the kind. */
const NOUNS: Readonly<Record<string, string>> = {
  AwsIntegration: 'AWS integration',
  GitHubIntegration: 'GitHub integration',
  ParameterRule: 'rule',
  ParameterType: 'type',
  ParameterTypeRule: 'type rule',
};

/** Returns the word for a kind of object, such as "service account" for `ServiceAccount`. */
export const describeObjectType = (objectType: string): string =>
  NOUNS[objectType] ?? objectType.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** Describes one change without naming the user, as in `set PORT in production`. */
export function describeChange({ action, objectType, objectName, environmentName }: DescribedChange): string {
  const location = environmentName === null || objectType === 'Environment' ? '' : ` in ${environmentName}`;
  if (objectType === 'Value') return `${action === 'delete' ? 'unset' : 'set'} ${objectName}${location}`;
  return `${describeAction(action)} ${describeObjectType(objectType)} ${objectName}${location}`;
}

const SHOWN = 3;

/** The first revision of an organization. The history does not list its changes. */
export const FIRST_REVISION = 1;

/** Describes a changeset in one line. `count` is the number of its changes; `changes` may contain only the first of them. */
export function describeChanges(changes: readonly DescribedChange[], count: number, revision: number): string {
  const [first] = changes;
  if (!first && count > 0) return formatCount(count, 'change');
  if (!first) return revision === FIRST_REVISION ? 'created the organization' : 'hidden (no access)';
  if (count === 1) return describeChange(first);
  const values = new Set(changes.map(({ objectType }) => objectType));
  if (count <= SHOWN && values.size === 1 && first.objectType === 'Value')
    return changes.map(describeChange).join(', ');
  if (changes.length < count) return formatCount(count, 'change');
  const groups = Map.groupBy(changes, ({ action, objectType }) => `${describeAction(action)} ${objectType}`);
  const byVerb = new Map<string, string[]>();
  for (const [kind, groupChanges] of groups) {
    const [verb = '', objectType = ''] = kind.split(' ');
    const onlyChange = groupChanges[0];
    const noun = describeObjectType(objectType);
    const counts =
      groupChanges.length === 1 && onlyChange && objectType !== 'Value'
        ? `${noun} ${onlyChange.objectName}`
        : formatCount(groupChanges.length, noun);
    byVerb.set(verb, [...(byVerb.get(verb) ?? []), counts]);
  }
  return [...byVerb].map(([verb, counts]) => `${verb} ${counts.join(', ')}`).join('; ');
}

/** Returns the names of the projects of a changeset. */
export const listProjects = (changes: readonly DescribedChange[]): readonly string[] => [
  ...new Set(changes.flatMap(({ projectName }) => (projectName === null ? [] : [projectName]))),
];

const INTERFACES: Readonly<Record<string, string>> = { rest: 'REST', graphql: 'GraphQL' };

/** Returns the display name of an interface. */
export const describeInterface = (surface: string | null): string =>
  surface === null ? '' : (INTERFACES[surface] ?? surface);
