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
export function parseDraft(storedText: string | null): Draft | null {
  const content = parsed(storedText);
  if (!isObject(content)) return null;
  const { version, ...draft } = upgraded(content);
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

const isObject = (input: unknown): input is Record<string, unknown> => typeof input === 'object' && input !== null;
const NAMES = ['projectId', 'projectName', 'environmentId', 'environmentName', 'parameterId', 'name'] as const;

function isDraft(input: Record<string, unknown>): input is Record<string, unknown> & Draft {
  return (
    NAMES.every((name) => typeof input[name] === 'string') &&
    typeof input.isSecret === 'boolean' &&
    typeof input.isForeign === 'boolean' &&
    (input.isNew === undefined || input.isNew === true) &&
    typeof input.typing === 'number' &&
    isEdit(input.edit) &&
    isBase(input.base)
  );
}

function isEdit(input: unknown): input is DraftEdit {
  if (!isObject(input)) return false;
  if (input.kind === 'set') return typeof input.text === 'string' && typeof input.dynamic === 'boolean';
  return input.kind === 'null' || input.kind === 'unset' || input.kind === 'retype' || input.kind === 'create';
}

function isBase(input: unknown): input is DraftBase {
  const isTextOrNull = (member: unknown) => member === null || typeof member === 'string';
  return (
    isObject(input) &&
    typeof input.revision === 'number' &&
    isTextOrNull(input.valueId) &&
    isTextOrNull(input.ledgerId) &&
    (input.text === undefined || isTextOrNull(input.text)) &&
    (input.dynamic === undefined || typeof input.dynamic === 'boolean')
  );
}
