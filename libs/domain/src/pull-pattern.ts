import { PLACEHOLDER, placeholderNames } from './push.ts';
import { asSentence, type Sentence, sentence } from './sentence.ts';

/** The placeholders of a pull's resource. Each one occurs once. */
const PULL_PLACEHOLDERS = ['environment', 'project', 'parameter'] as const;
type PullPlaceholder = (typeof PULL_PLACEHOLDERS)[number];

/** The names in a key. */
export type PulledNames = Readonly<Record<PullPlaceholder, string>>;

/** A resource that reads the names of objects from the keys of a store. */
export interface PullPattern {
  /** The text that all matching keys begin with. */
  readonly prefix: string;
  /** Returns null for a key that does not match. */
  match(key: string): PulledNames | null;
}

/** Stands for a placeholder in the key of a resource. Stores keep it as it is. */
const MARK = '\u0000';

/** Returns a sentence that says why no key can be read with a resource; null if keys can. */
export function pullPatternProblem(resource: string | null): Sentence<'name' | 'choices'> | null {
  const text = resource ?? '';
  const names = placeholderNames(text);
  const unknownName = names.find((name) => !PULL_PLACEHOLDERS.some((placeholder) => placeholder === name));
  if (unknownName !== undefined)
    return sentence`There is no {{ ${{ name: unknownName }} }}. Choose from: ${{ choices: PULL_PLACEHOLDERS }}.`;
  const wrongName = PULL_PLACEHOLDERS.find((name) => names.filter((used) => used === name).length !== 1);
  if (wrongName !== undefined)
    return sentence`Insert {{ ${{ name: wrongName }} }} once into the resource: a pull reads the name of the ${{ name: wrongName }} from each key.`;
  const textsBetween = text.replace(PLACEHOLDER, MARK).split(MARK).slice(1, -1);
  if (!textsBetween.includes('')) return null;
  return asSentence(
    'Write a text between the placeholders of the resource. Otherwise, nothing shows where a name ends.',
  );
}

/**
 * Reads a resource that has no problem. A name has no slash, and is the shortest text up to what follows its placeholder.
 * `toKey` returns the key under which the store keeps a text.
 */
export function createPullPattern(resource: string, toKey: (text: string) => string): PullPattern {
  const placeholders = placeholderNames(resource);
  const [prefix = '', ...literals] = toKey(resource.replace(PLACEHOLDER, MARK)).split(MARK);
  return {
    prefix,
    match: (key) => {
      if (!key.startsWith(prefix)) return null;
      const names: Record<string, string> = {};
      let start = prefix.length;
      for (const [index, literal] of literals.entries()) {
        const isLast = index === literals.length - 1;
        const end = isLast ? key.length - literal.length : key.indexOf(literal, start + 1);
        if (end <= start || !key.startsWith(literal, end)) return null;
        const name = key.slice(start, end);
        if (name.includes('/')) return null;
        names[placeholders[index] ?? ''] = name;
        start = end + literal.length;
      }
      return names as PulledNames;
    },
  };
}
