import type { ShownCell } from '../../data/cell.ts';
import type { PresentName } from '../../data/import-targets.ts';
import type { ChangesetOperations } from '../../data/plan.ts';
import type { EnvLine } from '../../kit/env-file/env-lines.ts';
import type { ImportPart } from './sources.ts';

/** The effect of a line on its cell. */
export type LineEffect =
  /** The line creates a parameter. */
  | 'new'
  /** The line sets a value where the project has none of its own. */
  | 'set'
  | 'changed'
  /** The line sets a secret. Secrets are never compared. */
  | 'secret'
  | 'same'
  /** A later line or file sets the same cell, so the line has no effect. */
  | 'replaced';

export interface ImportLine {
  readonly line: EnvLine;
  readonly effect: LineEffect;
  /** Whether the line creates a parameter, so that the user can choose whether it is secret. This cannot change later. */
  readonly isNew: boolean;
  /** The current effective value; null if there is none. */
  readonly present: ShownCell | null;
  readonly isSecret: boolean;
}

interface LinesOptions {
  readonly targets: ReadonlyMap<string, PresentName>;
  /** The names of new parameters that will be secret. */
  readonly secrets: ReadonlySet<string>;
}

/** Returns the lines of each part with their effects. */
export function importLines(
  parts: readonly ImportPart[],
  { targets, secrets }: LinesOptions,
): readonly (readonly ImportLine[])[] {
  const lastIn = new Map<string, number>();
  const times = new Map<string, number>();
  for (const [at, { environment, preview }] of parts.entries()) {
    for (const { name } of preview.kept) {
      lastIn.set(`${environment}\n${name}`, at);
      times.set(name, (times.get(name) ?? 0) + 1);
    }
  }
  return parts.map(({ environment, preview }, at) =>
    preview.lines.map((line) => {
      const target = targets.get(line.name) ?? null;
      const present = target?.cells.get(environment) ?? null;
      const isNew = target === null;
      const isSecret = target?.secret ?? secrets.has(line.name);
      const isReplaced = line.replacedIn !== null || lastIn.get(`${environment}\n${line.name}`) !== at;
      const isAlone = times.get(line.name) === 1;
      const effect = isReplaced ? 'replaced' : effectOf(line, target, present, isAlone);
      return { line, effect, isNew, present, isSecret };
    }),
  );
}

/** Returns the effect of a line. If it is the only one for its name (`isAlone`), a text equal to the inherited value has no effect. */
function effectOf(
  { text }: EnvLine,
  target: PresentName | null,
  present: ShownCell | null,
  isAlone: boolean,
): LineEffect {
  if (target === null || present === null) return 'new';
  const isHere = target.isOwn && present.states.includes('own');
  if (target.secret) return 'secret';
  const isLiteral =
    !present.states.includes('dynamic') && !present.states.includes('missing') && !present.states.includes('closed');
  const isSame = isLiteral && present.text === text && (text !== null || present.states.includes('NULL'));
  if (isSame && (isHere || isAlone)) return 'same';
  return isHere ? 'changed' : 'set';
}

/** Returns one operation for each part with changes, and the index of the part of each operation. */
export function importOperations(
  projectId: string,
  parts: readonly ImportPart[],
  lines: readonly (readonly ImportLine[])[],
): { readonly operations: ChangesetOperations; readonly partOf: readonly number[] } {
  const found = parts.flatMap(({ environment }, at) => {
    const stored = (lines[at] ?? []).filter(({ effect }) => effect !== 'same' && effect !== 'replaced');
    if (stored.length === 0) return [];
    const values = Object.fromEntries(stored.map((one) => [one.line.name, settable(one)]));
    return [{ at, operation: { set: { project: projectId, environment, createMissing: true, values } } }];
  });
  return { operations: found.map(({ operation }) => operation), partOf: found.map(({ at }) => at) };
}

function settable({ line, isNew, isSecret, present }: ImportLine) {
  const ledgerId = present?.ledgerId ?? null;
  return {
    value: line.text,
    ...(isNew && { secret: isSecret }),
    ...(ledgerId === null ? { if_none_match: '*' } : { if_match: ledgerId }),
  };
}
