import { type Draft, type DraftBase, type Drafts, type DraftWish, draftKey } from './draft.ts';

const VERSION = 1;

/** Drafts as text for the browser's storage: names and plain texts, and never that of a secret. */
export function storedText(drafts: Drafts): string {
  const kept = [...drafts.values()].map((draft): Draft => {
    if (!draft.isSecret) return draft;
    const { text: _, ...base } = draft.base;
    return { ...draft, base, wish: draft.wish.kind === 'set' ? { kind: 'retype' } : draft.wish };
  });
  return JSON.stringify({ version: VERSION, drafts: kept });
}

/** What was stored, as far as it still makes sense: other versions of the console, and people, write there too. */
export function draftsIn(stored: string | null): Drafts {
  const found = parsed(stored);
  if (!isObject(found) || found.version !== VERSION || !Array.isArray(found.drafts)) return new Map();
  return new Map(found.drafts.filter(isDraft).map((draft): [string, Draft] => [draftKey(draft), draft]));
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

const isObject = (given: unknown): given is Record<string, unknown> => typeof given === 'object' && given !== null;
const NAMES = ['projectId', 'projectName', 'environmentId', 'environmentName', 'parameterId', 'name'] as const;

function isDraft(given: unknown): given is Draft {
  return (
    isObject(given) &&
    NAMES.every((name) => typeof given[name] === 'string') &&
    typeof given.isSecret === 'boolean' &&
    typeof given.isForeign === 'boolean' &&
    isWish(given.wish) &&
    isBase(given.base)
  );
}

function isWish(given: unknown): given is DraftWish {
  if (!isObject(given)) return false;
  if (given.kind === 'set') return typeof given.text === 'string' && typeof given.dynamic === 'boolean';
  return given.kind === 'null' || given.kind === 'unset' || given.kind === 'retype';
}

function isBase(given: unknown): given is DraftBase {
  const isTextOrNull = (member: unknown) => member === null || typeof member === 'string';
  return (
    isObject(given) &&
    typeof given.revision === 'number' &&
    isTextOrNull(given.valueId) &&
    isTextOrNull(given.ledgerId) &&
    (given.text === undefined || isTextOrNull(given.text)) &&
    (given.dynamic === undefined || typeof given.dynamic === 'boolean')
  );
}
