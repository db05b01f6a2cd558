import type { EnvLine } from './env-lines.ts';
import type { ImportPart } from './import-sources.ts';
import type { TextReferences } from './line-references.ts';

/** The effective value of a parameter in one environment, as a matrix shows it. */
export interface CurrentCell {
  readonly states: readonly string[];
  readonly text?: string | null | undefined;
  /** The text with its references, if the value is dynamic. */
  readonly raw?: string | null | undefined;
  /** The version of the value, if it is set in this cell. */
  readonly ledgerId?: string | null | undefined;
}

/** A parameter name of a project, with the values of its cells by environment. */
export interface ExistingName<Cell extends CurrentCell = CurrentCell> {
  readonly secret: boolean;
  /** Whether the project itself owns the parameter. */
  readonly isOwn: boolean;
  readonly cells: ReadonlyMap<string, Cell>;
}

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

export interface ImportLine<Cell extends CurrentCell = CurrentCell> {
  readonly line: EnvLine;
  readonly effect: LineEffect;
  /** Whether the line creates a parameter, so that the user can choose whether it is secret. This cannot change later. */
  readonly isNew: boolean;
  /** The current effective value; null if there is none. */
  readonly current: Cell | null;
  readonly isSecret: boolean;
  /** The text with references that the line stores; null if it stores its text as it is. */
  readonly dynamicText: string | null;
}

interface LinesOptions<Cell extends CurrentCell> {
  readonly targets: ReadonlyMap<string, ExistingName<Cell>>;
  /** The names of new parameters that will be secret. */
  readonly secrets: ReadonlySet<string>;
  /** The lines whose references are resolved. */
  readonly resolved?: ReadonlyMap<EnvLine, TextReferences>;
}

/** Returns the lines of each part with their effects. */
export function importLines<Cell extends CurrentCell>(
  parts: readonly ImportPart[],
  { targets, secrets, resolved }: LinesOptions<Cell>,
): readonly (readonly ImportLine<Cell>[])[] {
  const lastIn = new Map<string, number>();
  const times = new Map<string, number>();
  for (const [index, { environment, preview }] of parts.entries()) {
    for (const { name } of preview.importable) {
      lastIn.set(`${environment}\n${name}`, index);
      times.set(name, (times.get(name) ?? 0) + 1);
    }
  }
  return parts.map(({ environment, preview }, index) =>
    preview.lines.map((line) => {
      const target = targets.get(line.name) ?? null;
      const currentCell = target?.cells.get(environment) ?? null;
      const isNew = target === null;
      const isSecret = target?.secret ?? secrets.has(line.name);
      const isReplaced = line.replacedIn !== null || lastIn.get(`${environment}\n${line.name}`) !== index;
      const isAlone = times.get(line.name) === 1;
      const dynamicText = (isSecret ? null : resolved?.get(line)?.dynamicText) ?? null;
      const effect = isReplaced
        ? 'replaced'
        : lineEffect({ text: line.text, dynamicText }, target, currentCell, isAlone);
      return { line, effect, isNew, current: currentCell, isSecret, dynamicText };
    }),
  );
}

/** Returns the effect of a line. If it is the only one for its name (`isAlone`), a text equal to the inherited value has no effect. */
function lineEffect(
  { text, dynamicText }: Pick<EnvLine, 'text'> & Pick<ImportLine, 'dynamicText'>,
  target: ExistingName | null,
  currentCell: CurrentCell | null,
  isAlone: boolean,
): LineEffect {
  if (target === null || currentCell === null) return 'new';
  const isHere = target.isOwn && currentCell.states.includes('own');
  if (target.secret) return 'secret';
  const isLiteral = !['dynamic', 'missing', 'closed'].some((state) => currentCell.states.includes(state));
  const isSame =
    dynamicText === null ? isLiteral && (currentCell.text ?? null) === text : currentCell.raw === dynamicText;
  if (isSame && (isHere || isAlone)) return 'same';
  return isHere ? 'changed' : 'set';
}

/** Returns whether an import stores the line. */
export const willBeStored = ({ effect }: ImportLine): boolean => effect !== 'same' && effect !== 'replaced';

/** The values of a part, as the members of an operation `set` of a changeset. */
interface ImportedValues {
  /** The index of the part. */
  readonly at: number;
  readonly environment: string;
  readonly values: Readonly<Record<string, object>>;
}

/** Returns the values to set, for each part that changes something. They fail if someone changes the same value first. `types` are those of new parameters. */
export function listImportedValues(
  parts: readonly ImportPart[],
  lines: readonly (readonly ImportLine[])[],
  types: ReadonlyMap<string, string> = new Map(),
): readonly ImportedValues[] {
  return parts.flatMap(({ environment }, index) => {
    const storedLines = (lines[index] ?? []).filter(willBeStored);
    const values = Object.fromEntries(storedLines.map((line) => [line.line.name, settable(line, types)]));
    return storedLines.length === 0 ? [] : [{ at: index, environment, values }];
  });
}

function settable(
  { line, isNew, isSecret, current: currentCell, dynamicText }: ImportLine,
  types: ReadonlyMap<string, string>,
) {
  const type = isNew ? types.get(line.name) : undefined;
  const ledgerId = currentCell?.ledgerId ?? null;
  return {
    value: dynamicText ?? line.text,
    ...(dynamicText !== null && { interpolated: true }),
    ...(type !== undefined && { type }),
    // Strata rejects this for a parameter that is not secret, which another user can have created meanwhile.
    ...((isNew || isSecret) && { secret: isSecret }),
    ...(ledgerId === null ? { if_none_match: '*' } : { if_match: ledgerId }),
  };
}
