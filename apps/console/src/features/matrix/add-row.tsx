import { detectSecretIndicator, nameProblem } from '@strata/domain';
import type { InferredTypes as Types } from '@strata/import';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, useEffect, useRef, useState } from 'react';
import type { MatrixRow } from '../../data/cell.ts';
import { currentCellKeys } from '../../data/current-cells.ts';
import { typeNamesQuery } from '../../data/parameters.ts';
import { InferredTypes } from '../../kit/env-file/inferred-types.tsx';
import { type DraftEdit, draftKey, newParameterId, type TypedDraft } from '../../lib/draft.ts';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './add-rows.module.css';
import type { AddRowsProps } from './add-rows-props.ts';
import { pastedTextProblem } from './range-edits.ts';
import { type NewParameter, type PastedLines, usePastedLines } from './use-pasted-lines.ts';
import { ValueCells } from './value-cells.tsx';

interface AddRowProps extends AddRowsProps {
  onClose(): void;
}

interface ParameterInput extends Omit<NewParameter, 'isSecret'> {
  /** The choice of the user; null to decide by name and value. */
  readonly secret: boolean | null;
}

const NOTHING: ParameterInput = { name: '', type: 'string', secret: null, edits: new Map() };

/** A row in which a parameter is typed. Enter stages it with its values; pasted lines `NAME=value` stage a parameter each. */
export function AddRow(props: AddRowProps) {
  const { project, columns, environments } = props;
  const field = useRef<HTMLInputElement>(null);
  const row = useNewParameter(props, field);
  const { typed, problem, message, add, change, edit } = row;
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const { name, type, isSecret, edits } = typed;
  return (
    <div role="row" className={styles.row} data-open>
      <Fields {...{ ...props, field, typed, change, add }} isWrong={problem !== null} addLines={row.addLines} />
      <ValueCells
        value={{ projectId: project.id, name, isSecret, rules: { type, parameter: null } }}
        {...{ columns, environments, edits }}
        onEdit={edit}
        onEnter={(id, value) => add(value ? edit(id, value) : edits)}
      />
      {row.dialog}
      <div role="gridcell" className={styles.hint} data-wrong={problem !== null || undefined}>
        <button type="button" className={button.plain} onClick={() => add()}>
          Add parameter
        </button>
        <button type="button" className={button.quiet} onClick={props.onClose}>
          Close
        </button>
        <p id={HINT} role="status">
          <UserText>
            {[problem, message].filter(Boolean).join(' ') ||
              'Enter adds a draft. Paste lines NAME=value to add several at once.'}
          </UserText>
        </p>
        <InferredTypes types={row.pasted?.types ?? NO_TYPES} onDismiss={row.useStrings} />
      </div>
    </div>
  );
}

const NO_TYPES: Types = new Map();

const HINT = 'add-parameter';

/** The parameter that is being typed, and the functions that stage it. */
function useNewParameter(props: AddRowProps, field: React.RefObject<HTMLInputElement | null>) {
  const { project, matrix } = props;
  const [input, setInput] = useState(NOTHING);
  const [message, setMessage] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pasted, setPasted] = useState<PastedLines | null>(null);
  const stage = useStageParameters(props);
  const lines = usePastedLines(props);
  const newParameter: NewParameter = { ...input, isSecret: input.secret ?? looksSecret(input) };
  const change = (next: Partial<ParameterInput>) => {
    setInput((old) => ({ ...old, ...next }));
    setProblem(null);
    setPasted(null);
  };
  const clear = (text: string) => {
    setInput(NOTHING);
    setProblem(null);
    setPasted(null);
    setMessage(text);
    field.current?.focus();
  };
  const isTaken = ({ name, projectId }: MatrixRow) => name === input.name && projectId === project.id;
  const add = (edits = input.edits) => {
    const { name } = input;
    if (name.includes('=')) return void addLines(name);
    const wrong = name === '' ? 'Enter a name.' : nameProblem(name)?.message;
    const taken = matrix.parts.some((part) => part?.lines.some(isTaken));
    const reason = wrong ?? (taken ? `${project.name} already has a parameter named ${name}.` : null);
    setProblem(reason);
    if (reason !== null) return field.current?.focus();
    stage([{ ...newParameter, edits }]);
    clear(`Draft of ${name} added.`);
  };
  const addLines = async (text: string) => {
    const long = pastedTextProblem(text);
    if (long !== null) return setProblem(long);
    const read = await lines.read(text);
    if (typeof read === 'string') return setProblem(read);
    if (read === null) return;
    stage(read.parameters);
    clear(read.message);
    setPasted(read);
    setProblem(read.problem);
  };
  const useStrings = () => {
    if (pasted) stage(pasted.parameters.map((parameter) => ({ ...parameter, type: 'string' })));
    setPasted(null);
  };
  const edit = (environmentId: string, value: DraftEdit | null) => {
    const next = new Map(input.edits);
    if (value) next.set(environmentId, value);
    else next.delete(environmentId);
    change({ edits: next });
    return next;
  };
  return {
    typed: newParameter,
    problem,
    message,
    add,
    addLines: (text: string) => void addLines(text),
    change,
    edit,
    dialog: lines.dialog,
    pasted,
    useStrings,
  };
}

interface FieldsProps extends Pick<AddRowProps, 'onClose'> {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly typed: NewParameter;
  readonly isWrong: boolean;
  change(next: Partial<ParameterInput>): void;
  add(): void;
  addLines(text: string): void;
}

function Fields({ field, typed: { name, type, isSecret }, isWrong, change, add, addLines, onClose }: FieldsProps) {
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text/plain');
    if (!text.includes('=')) return;
    event.preventDefault();
    addLines(text);
  };
  return (
    <div
      role="gridcell"
      className={styles.form}
      onKeyDown={({ key, target }) => {
        if (key === 'Escape') onClose();
        // Enter presses a button.
        if (key === 'Enter' && !(target as Element).matches('button')) add();
      }}
    >
      <input
        ref={field}
        aria-label="Name of the new parameter"
        aria-invalid={isWrong || undefined}
        aria-describedby={HINT}
        placeholder="LOG_LEVEL"
        value={name}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => change({ name: target.value })}
        onPaste={onPaste}
      />
      <span className={styles.options}>
        <TypeChoice type={type} onChange={(chosen) => change({ type: chosen })} />
        <label className={styles.check}>
          <input type="checkbox" checked={isSecret} onChange={({ target }) => change({ secret: target.checked })} />{' '}
          Secret
        </label>
      </span>
    </div>
  );
}

function TypeChoice({ type, onChange }: { readonly type: string; onChange(type: string): void }) {
  const { data: names = ['string'] } = useQuery(typeNamesQuery);
  return (
    <select aria-label="Type" value={type} onChange={({ target }) => onChange(target.value)}>
      {names.map((name) => (
        <option key={name} value={name}>
          {withVisibleCharacters(name)}
        </option>
      ))}
    </select>
  );
}

/** Returns whether the name or a value looks like a credential. The text of the name alone is that of a parameter with some value. */
function looksSecret({ name, type, edits }: ParameterInput): boolean {
  const texts = [...edits.values()].flatMap((edit) => (edit.kind === 'set' && !edit.dynamic ? [edit.text] : []));
  return [...texts, SOME_TEXT].some(
    (text) => detectSecretIndicator({ name, type, text, interpolated: false }) !== null,
  );
}
const SOME_TEXT = 'x';

/** Returns the function that stages the drafts of new parameters as one step of undo. */
function useStageParameters({ project, columns, handle, matrix }: AddRowProps) {
  const client = useQueryClient();
  const revision = matrix.revisionAt(0);
  const base = { revision, valueId: null, ledgerId: null };
  return (parameters: readonly NewParameter[]) => {
    const replaced: string[] = [];
    const drafts = parameters.flatMap(({ name, type, isSecret, edits }): readonly TypedDraft[] => {
      const draft = (column: { readonly id: string; readonly name: string }, edit: DraftEdit): TypedDraft => ({
        projectId: project.id,
        projectName: project.name,
        environmentId: column.id,
        environmentName: column.name,
        parameterId: newParameterId(name),
        name,
        isSecret,
        isForeign: false,
        type,
        isNew: true,
        edit,
        base,
      });
      const values = columns.flatMap((column) => {
        const edit = edits.get(column.id);
        return edit ? [draft(column, edit)] : [];
      });
      const [first] = columns;
      const all = values.length > 0 || !first ? values : [draft(first, { kind: 'create' })];
      const keys = new Set(all.map(draftKey));
      for (const [key, { parameterId, projectId }] of handle.drafts) {
        if (parameterId === newParameterId(name) && projectId === project.id && !keys.has(key)) replaced.push(key);
      }
      return all;
    });
    handle.stage(drafts, replaced);
    // Finds out whether the names are taken.
    void client.invalidateQueries({ queryKey: currentCellKeys.ofProject(project.id) });
  };
}
