import type { Draft, DraftBase, DraftEdit } from '../../lib/draft.ts';

const VERSION = 4;

/** Serializes a draft for storage, without the texts of a secret. */
export function storedText(draft: Draft): string {
  return JSON.stringify({ version: VERSION, ...(draft.isSecret ? withoutTexts(draft) : draft) });
}

function withoutTexts({ base: { text: _, ...base }, edit, ...draft }: Draft): Draft {
  return { ...draft, base, edit: edit.kind === 'set' ? { kind: 'retype' } : edit };
}

/** Parses a stored draft. Returns null if it is invalid, because other versions of the console or the user may have written it. */
export function draftIn(stored: string | null): Draft | null {
  const found = parsed(stored);
  if (!isObject(found)) return null;
  const { version, ...draft } = upgraded(found);
  return version === VERSION && isDraft(draft) ? draft : null;
}

/** Version 2 called the edit `wish`. Version 3 had no drafts of new parameters. */
function upgraded({ wish, ...draft }: Record<string, unknown>): Record<string, unknown> {
  if (draft.version === 2) return { ...draft, version: VERSION, edit: wish };
  return draft.version === 3 ? { ...draft, version: VERSION } : draft;
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

function isDraft(given: Record<string, unknown>): given is Record<string, unknown> & Draft {
  return (
    NAMES.every((name) => typeof given[name] === 'string') &&
    typeof given.isSecret === 'boolean' &&
    typeof given.isForeign === 'boolean' &&
    (given.isNew === undefined || given.isNew === true) &&
    typeof given.typing === 'number' &&
    isEdit(given.edit) &&
    isBase(given.base)
  );
}

function isEdit(given: unknown): given is DraftEdit {
  if (!isObject(given)) return false;
  if (given.kind === 'set') return typeof given.text === 'string' && typeof given.dynamic === 'boolean';
  return given.kind === 'null' || given.kind === 'unset' || given.kind === 'retype' || given.kind === 'create';
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
