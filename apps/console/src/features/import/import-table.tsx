import { BASE_TYPES, type BaseType } from '@strata/domain';
import { type ImportLine, type ImportPart, secretReason } from '@strata/import';
import { Lock } from 'lucide-react';
import { chooseDisplay, findOrigin, type ShownCell, visibleText } from '../../data/cell.ts';
import { CellContent } from '../../kit/cells/cell-content.tsx';
import { CopyValue } from '../../kit/copy-value/copy-value.tsx';
import table from '../../kit/env-file/env-table.module.css';
import { FileText, SkippedLines } from '../../kit/env-file/env-table.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './import-table.module.css';
import type { NewTypes } from './use-new-types.ts';

const COLUMNS = 7;

interface ImportTableProps {
  readonly part: ImportPart;
  readonly lines: readonly ImportLine<ShownCell>[];
  /** The errors by name. */
  readonly errors: ReadonlyMap<string, string>;
  readonly newTypes: NewTypes;
  onSecret(name: string, isSecret: boolean): void;
}

/** Lists the lines for one environment with their current values and effects. The page never contains the texts of secrets. */
export function ImportTable({ part, lines, errors, newTypes, onSecret }: ImportTableProps) {
  const { environment, preview } = part;
  const skippedLines = [...preview.problems, ...preview.skipped].sort((a, b) => a.line - b.line);
  if (lines.length === 0 && skippedLines.length === 0) return <p className={table.note}>Empty.</p>;
  const label = withVisibleCharacters(`Lines for ${environment} in ${part.source.title}`);
  return (
    <ScrollArea className={table.scroller} label={label}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Name</th>
            <th scope="col">
              Value in <UserText>{environment}</UserText>
            </th>
            <th scope="col">Value in file</th>
            <th scope="col">Type</th>
            <th scope="col">Result</th>
            <th scope="col">Secret</th>
          </tr>
        </thead>
        <tbody>
          <SkippedLines problems={skippedLines} columns={COLUMNS} />
          {lines.map((importLine, at) => (
            <Line
              key={at}
              importLine={importLine}
              environment={environment}
              error={importLine.effect === 'replaced' ? undefined : errors.get(importLine.line.name)}
              type={newTypes.types.get(importLine.line.name) ?? 'string'}
              onType={newTypes.choose}
              onSecret={onSecret}
            />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

interface LineProps extends Pick<ImportTableProps, 'onSecret'> {
  readonly importLine: ImportLine<ShownCell>;
  readonly environment: string;
  readonly error: string | undefined;
  /** The type of the parameter, if the line creates it. */
  readonly type: BaseType;
  onType(name: string, type: BaseType): void;
}

function Line({ importLine, environment, error, type, onType, onSecret }: LineProps) {
  const { line, effect, isNew, current, isSecret, dynamicText } = importLine;
  const isReplaced = effect === 'replaced';
  const location = `${line.name} in ${environment}`;
  return (
    <tr className={isReplaced ? table.replaced : undefined} data-effect={error === undefined ? effect : 'rejected'}>
      <td className={table.number}>{line.line}</td>
      <th scope="row">
        <code>
          <UserText>{line.name}</UserText>
        </code>
        {error !== undefined && (
          <span className={table.error}>
            <UserText>{error}</UserText>
          </span>
        )}
      </th>
      <td>{!isReplaced && <ExistingTextNote cell={current} of={location} />}</td>
      <td>
        {!isReplaced && <FileText text={dynamicText ?? line.text} isSecret={isSecret} of={location} which="new" />}
      </td>
      <td>{isNew && !isReplaced && <TypeChoice name={line.name} {...{ type, onType }} />}</td>
      <td className={styles.effect} data-effect={error === undefined ? effect : 'rejected'}>
        {error === undefined ? describeEffect(importLine) : 'rejected'}
        {error === undefined && dynamicText !== null && !isReplaced && ', with references'}
      </td>
      <td className={table.secret}>
        {isReplaced ? null : isNew ? (
          <label>
            <input type="checkbox" checked={isSecret} onChange={({ target }) => onSecret(line.name, target.checked)} />
            <span className="heard">{line.name} is secret</span>
            {line.looks !== null && <span className={table.note}>{secretReason(line.looks)}</span>}
          </label>
        ) : isSecret ? (
          <Lock size={12} role="img" aria-label="secret" />
        ) : (
          line.looks !== null && (
            <span className={styles.warning}>looks like a secret, but its parameter is not secret</span>
          )
        )}
      </td>
    </tr>
  );
}

interface TypeChoiceProps extends Pick<LineProps, 'type' | 'onType'> {
  readonly name: string;
}

/** Renders the choice of the type of a new parameter. All lines with its name show the same one. */
function TypeChoice({ name, type, onType }: TypeChoiceProps) {
  return (
    <select
      aria-label={withVisibleCharacters(`Type of ${name}`)}
      value={type}
      onChange={({ target: { selectedIndex } }) => onType(name, BASE_TYPES[selectedIndex] ?? 'string')}
    >
      {BASE_TYPES.map((baseType) => (
        <option key={baseType}>{baseType}</option>
      ))}
    </select>
  );
}

interface PresentProps {
  readonly cell: ShownCell | null;
  /** The location of the value. */
  readonly of: string;
}

function ExistingTextNote({ cell, of }: PresentProps) {
  if (cell === null) return <span className={table.note}>no parameter</span>;
  return (
    <CopyValue text={visibleText(cell)} of={of} which="old">
      <span className={styles.present} data-origin={findOrigin(cell)}>
        <CellContent reading={chooseDisplay(cell)} />
      </span>
    </CopyValue>
  );
}

function describeEffect({ effect, line, current }: ImportLine): string {
  switch (effect) {
    case 'new':
      return 'new parameter';
    case 'set':
      return current?.states.includes('missing') ? 'set' : 'overrides the inherited value';
    case 'changed':
      return current?.states.includes('dynamic') ? 'replaces a value with references' : 'changed';
    case 'secret':
      return current?.states.includes('own') ? 'replaced' : 'set';
    case 'same':
      return 'unchanged';
    case 'replaced':
      return line.replacedIn === null ? 'duplicate of a later file' : `overridden by line ${line.replacedIn}`;
  }
}
