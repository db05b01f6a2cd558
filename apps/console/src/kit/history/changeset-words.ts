/** What happened to one object, as far as words for it need. */
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

/** Whatever else the audit may tell of is told by its own word. */
export const verbOf = (action: string): string => VERBS[action] ?? action.replaceAll('_', ' ');

/** Where the word for a kind of object is not its name in small letters. */
const NOUNS: Readonly<Record<string, string>> = {
  AwsIntegration: 'AWS integration',
  GitHubIntegration: 'GitHub integration',
  ParameterRule: 'rule',
  ParameterType: 'type',
  ParameterTypeRule: 'type rule',
};

/** `ServiceAccount`: service account. */
export const nounOf = (objectType: string): string =>
  NOUNS[objectType] ?? objectType.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`.replace(/ys$/, 'ies');

/** One change as a sentence without its subject: `set PORT in production`. */
export function changeInWords({ action, objectType, objectName, environmentName }: DescribedChange): string {
  const where = environmentName === null || objectType === 'Environment' ? '' : ` in ${environmentName}`;
  if (objectType === 'Value') return `${action === 'delete' ? 'unset' : 'set'} ${objectName}${where}`;
  return `${verbOf(action)} ${nounOf(objectType)} ${objectName}${where}`;
}

const SHOWN = 3;

/** What a changeset did, in one line. `count` says how many changes there are; not all of them need be given. */
export function changesInWords(changes: readonly DescribedChange[], count: number): string {
  const [first] = changes;
  if (!first) return count === 0 ? 'hidden (no access)' : counted(count, 'change');
  if (count === 1) return changeInWords(first);
  const values = new Set(changes.map(({ objectType }) => objectType));
  if (count <= SHOWN && values.size === 1 && first.objectType === 'Value') return changes.map(changeInWords).join(', ');
  if (changes.length < count) return counted(count, 'change');
  const groups = Map.groupBy(changes, ({ action, objectType }) => `${verbOf(action)} ${objectType}`);
  const byVerb = new Map<string, string[]>();
  for (const [kind, some] of groups) {
    const [verb = '', objectType = ''] = kind.split(' ');
    const only = some[0];
    const noun = nounOf(objectType);
    const told =
      some.length === 1 && only && objectType !== 'Value' ? `${noun} ${only.objectName}` : counted(some.length, noun);
    byVerb.set(verb, [...(byVerb.get(verb) ?? []), told]);
  }
  return [...byVerb].map(([verb, told]) => `${verb} ${told.join(', ')}`).join('; ');
}

/** The projects that a changeset was about, by name. */
export const projectsOf = (changes: readonly DescribedChange[]): readonly string[] => [
  ...new Set(changes.flatMap(({ projectName }) => (projectName === null ? [] : [projectName]))),
];

const DOORS: Readonly<Record<string, string>> = { rest: 'REST', graphql: 'GraphQL' };

/** The door that a changeset came through. */
export const apiNameOf = (surface: string | null): string => (surface === null ? '' : (DOORS[surface] ?? surface));
