import {
  describeSecrets,
  type EnvLine,
  findProposedSecrets,
  type InferredTypes,
  inferTypes,
  lineReferences,
  parseEnvPreview,
} from '@strata/import';
import type { DraftEdit } from '../../lib/draft.ts';
import { formatCount } from '../../lib/format-count.ts';
import type { AddRowsProps } from './add-rows-props.ts';
import { usePastedReferences } from './use-pasted-references.tsx';

export interface NewParameter {
  readonly name: string;
  readonly type: string;
  readonly isSecret: boolean;
  /** The values by environment id. */
  readonly edits: ReadonlyMap<string, DraftEdit>;
}

/** The parameters that pasted lines create. */
export interface PastedLines {
  readonly parameters: readonly NewParameter[];
  /** The types that the texts gave them. */
  readonly types: InferredTypes;
  readonly message: string;
  /** Describes the skipped lines; null if there is none. */
  readonly problem: string | null;
}

/** Turns pasted lines into new parameters. Their references are resolved only if the user chooses so. */
export function usePastedLines({ project, columns, handle }: AddRowsProps) {
  const { parameterNames, chooseResolved, dialog } = usePastedReferences(project.id);
  /** Returns the parameters, the reason why there are none, or null if the user cancels. */
  const read = async (text: string): Promise<PastedLines | string | null> => {
    const preview = parseEnvPreview(text);
    const { importable, problems } = preview;
    const [first] = problems;
    const [column] = columns;
    if (!column || importable.length === 0) return first?.message ?? 'There are no lines like NAME=value.';
    const drafted = [...handle.drafts.values()].filter((draft) => draft.isNew && draft.projectId === project.id);
    const targets = new Map([
      ...(await parameterNames(text)),
      ...drafted.map(({ name, isSecret: secret }) => [name, { secret }] as const),
    ]);
    const references = lineReferences([{ preview }], { targets, secretChoices: new Map() });
    const resolved = await chooseResolved(references, ({ line, name }) => ({ location: `Line ${line}`, name }));
    if (resolved === null) return null;
    const secrets = findProposedSecrets([{ preview }], resolved);
    const types = inferTypes(importable, (line) => secrets.has(line.name) || resolved.has(line));
    const parameters = importable.map((line) => ({
      ...readParameter(line, column.id, secrets.has(line.name), resolved.get(line)?.dynamicText ?? null),
      type: types.get(line.name) ?? 'string',
    }));
    const added = describeLines(importable.length, column.name, references.size - resolved.size);
    return {
      parameters,
      types,
      message: `${added} ${describeSecrets(importable, secrets)}`.trim(),
      problem: first ? `${problems.length} skipped. Line ${first.line}: ${first.message}.` : null,
    };
  };
  return { read, dialog };
}

function readParameter(
  { name, text }: EnvLine,
  environmentId: string,
  isSecret: boolean,
  dynamicText: string | null,
): NewParameter {
  const dynamic = dynamicText !== null;
  const edit: DraftEdit = text === null ? { kind: 'null' } : { kind: 'set', text: dynamicText ?? text, dynamic };
  return { name, type: 'string', isSecret, edits: new Map([[environmentId, edit]]) };
}

function describeLines(count: number, environment: string, literal: number): string {
  const added = `${count.toLocaleString()} ${count === 1 ? 'draft' : 'drafts'} added in ${environment}`;
  const text = literal === 0 ? '' : ` References stay text in ${formatCount(literal, 'line')}.`;
  return `${added}.${text}`;
}
