import type { EnvironmentId } from './ids.ts';
import { asSentence, type Params, sentence } from './sentence.ts';

/** The placeholders of a push's resource text. */
const RESOURCE_PLACEHOLDERS = ['environment', 'parameter', 'project', 'push', 'tag'] as const;

export interface PushPlan {
  readonly resource: string | null;
  readonly includes: { readonly parameters: boolean; readonly secrets: boolean; readonly templates: boolean };
  readonly projects: number;
  /** The environment of each tag. An environment occurs twice if two of its tags are pushed. */
  readonly tagEnvironments: readonly EnvironmentId[];
}

interface PushProblem {
  readonly code: 'push_includes_nothing' | 'push_resource' | 'push_several_tags';
  readonly field: 'non_field_errors' | 'resource';
  readonly message: string;
  readonly params?: Params;
  readonly pointer?: string;
}

/** A placeholder of a resource. Its group is the name with the spaces around it: a pattern for them would take cubic time. */
export const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Returns the names of the placeholders of a resource, in their order. */
export const placeholderNames = (resource: string): readonly string[] =>
  [...resource.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim());

/**
 * Returns everything that is wrong with a push (behaviour.md §14). Two objects must never be written to the same
 * location.
 */
export function pushProblems({ resource, includes, projects, tagEnvironments }: PushPlan): readonly PushProblem[] {
  const usedNames = placeholderNames(resource ?? '');
  const environments = new Set(tagEnvironments);
  const problems: PushProblem[] = [];
  const needs = (name: string, reason: string) => {
    if (usedNames.includes(name)) return;
    problems.push({
      code: 'push_resource',
      field: 'resource',
      ...sentence`Insert {{ ${{ name }} }}: ${asSentence(reason)}.`,
    });
  };
  for (const name of usedNames.filter((name) => !RESOURCE_PLACEHOLDERS.some((placeholder) => placeholder === name))) {
    const text = sentence`There is no {{ ${{ name }} }}. Choose from: ${{ choices: RESOURCE_PLACEHOLDERS }}.`;
    problems.push({ code: 'push_resource', field: 'resource', ...text });
  }
  needs('parameter', 'every parameter needs a place of its own');
  if (projects > 1) needs('project', 'the push has several projects');
  if (environments.size > 1) needs('environment', 'the push has tags of several environments');
  if (environments.size < tagEnvironments.length && !usedNames.includes('tag')) {
    const message =
      'The push has several tags of one environment. Keep one of them, or insert {{ tag }} into the resource.';
    problems.push({ code: 'push_several_tags', field: 'resource', message });
  }
  if (!includes.parameters && !includes.secrets && !includes.templates) {
    // Tests of existing clients match this sentence.
    const message = 'At least one of `include_parameters`, `include_secrets`, or `include_templates` must be true.';
    problems.push({
      code: 'push_includes_nothing',
      field: 'non_field_errors',
      message,
      pointer: '/include_parameters',
    });
  }
  return problems;
}

/** The names that the placeholders of a push's resource stand for. */
export type ResourceNames = Readonly<Record<(typeof RESOURCE_PLACEHOLDERS)[number], string>>;

/** Returns the key that a push writes one value to. */
export function renderResource(resource: string, names: ResourceNames): string {
  return resource.replace(PLACEHOLDER, (text, group: string) => {
    const name = group.trim();
    return Object.hasOwn(names, name) ? names[name as keyof ResourceNames] : text;
  });
}

/** Returns the names that the placeholders of a resource insert. */
export function insertedNames(resource: string, names: ResourceNames): readonly string[] {
  const usedNames = placeholderNames(resource);
  return RESOURCE_PLACEHOLDERS.filter((placeholder) => usedNames.includes(placeholder)).map(
    (placeholder) => names[placeholder],
  );
}

/** Returns the longest text that all keys start with; empty without keys. */
export function commonPrefix(keys: readonly string[]): string {
  const [first = '', ...otherKeys] = keys;
  let length = first.length;
  for (const key of otherKeys) {
    while (length > 0 && !key.startsWith(first.slice(0, length))) length -= 1;
  }
  return first.slice(0, length);
}
