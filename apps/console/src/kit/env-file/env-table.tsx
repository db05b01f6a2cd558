import {
  describeSecrets,
  type EnvLine,
  type EnvPreview,
  type InferredTypes,
  secretReason,
  type TextReferences,
} from '@strata/import';
import { Lock } from 'lucide-react';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { CopyValue, type CopyValueProps } from '../copy-value/copy-value.tsx';
import styles from './env-table.module.css';

interface EnvTableProps {
  readonly preview: EnvPreview;
  readonly secrets: ReadonlySet<string>;
  readonly types: InferredTypes;
  readonly onSecret: (name: string, isSecret: boolean) => void;
  /** The lines whose references are resolved. */
  readonly resolved: ReadonlyMap<EnvLine, TextReferences>;
  /** The errors by name. */
  readonly errors: ReadonlyMap<string, string>;
}

const DOTS = '••••••••';
const COLUMNS = 5;

/** Lists the parsed lines of a file. The page never contains the texts of secrets. */
export function EnvTable({ preview, secrets, types, onSecret, resolved, errors }: EnvTableProps) {
  const { lines, problems, importable } = preview;
  return (
    <>
      <p role="status" className={styles.summary}>
        {importable.length} {importable.length === 1 ? 'parameter' : 'parameters'}
        {problems.length > 0 && `; ${problems.length} ${problems.length === 1 ? 'line' : 'lines'} skipped`}.{' '}
        <UserText>{describeSecrets(importable, secrets)}</UserText>
      </p>
      <ScrollArea className={styles.scroller} label="Lines in the file">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Name</th>
              <th scope="col">Value</th>
              <th scope="col">Type</th>
              <th scope="col">Secret</th>
            </tr>
          </thead>
          <tbody>
            <SkippedLines problems={problems} columns={COLUMNS} />
            {lines.map((line) => (
              <Line
                key={line.line}
                line={line}
                text={resolved.get(line)?.dynamicText ?? line.text}
                isSecret={secrets.has(line.name)}
                type={types.get(line.name) ?? 'string'}
                onSecret={onSecret}
                error={errors.get(line.name)}
              />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </>
  );
}

interface SkippedLinesProps {
  readonly problems: EnvPreview['problems'];
  /** The number of columns of the table. */
  readonly columns: number;
}

/** The rows of skipped lines. They come first, because a long table hides what follows. */
export function SkippedLines({ problems, columns }: SkippedLinesProps) {
  return problems.map(({ line, message }) => (
    <tr key={`${line} ${message}`} className={styles.wrong}>
      <td className={styles.number}>{line}</td>
      <td colSpan={columns - 1}>
        Skipped: <UserText>{message}</UserText>
      </td>
    </tr>
  ));
}

interface LineProps {
  readonly line: EnvLine;
  /** The text to store. */
  readonly text: string | null;
  readonly isSecret: boolean;
  readonly type: string;
  readonly onSecret: (name: string, isSecret: boolean) => void;
  readonly error: string | undefined;
}

function Line({ line: { line, name, looks, replacedIn }, text, isSecret, type, onSecret, error }: LineProps) {
  return (
    <tr className={replacedIn === null ? undefined : styles.replaced}>
      <td className={styles.number}>{line}</td>
      <th scope="row">
        <code>
          <UserText>{name}</UserText>
        </code>
        {error !== undefined && (
          <span className={styles.error}>
            <UserText>{error}</UserText>
          </span>
        )}
      </th>
      <td>
        {replacedIn !== null && <span className={styles.note}>overridden by line {replacedIn}</span>}
        {replacedIn === null && <FileText text={text} isSecret={isSecret} of={name} />}
      </td>
      <td>{replacedIn === null && <span className={styles.note}>{type}</span>}</td>
      <td className={styles.secret}>
        {replacedIn === null && (
          <label>
            <input type="checkbox" checked={isSecret} onChange={(event) => onSecret(name, event.target.checked)} />
            <span className="heard">
              <UserText>{name}</UserText> is secret
            </span>
            {looks !== null && <span className={styles.note}>{secretReason(looks)}</span>}
          </label>
        )}
      </td>
    </tr>
  );
}

interface FileTextProps extends Pick<CopyValueProps, 'of' | 'which'> {
  readonly text: string | null;
  readonly isSecret: boolean;
}

/** Shows the text of a line, masked if it is secret. */
export function FileText({ text, isSecret, of, which }: FileTextProps) {
  if (text === null) return <span className={styles.null}>null</span>;
  if (isSecret) {
    return (
      <span className={styles.hidden}>
        <Lock size={12} aria-hidden /> <span aria-hidden>{DOTS}</span>
        <span className="heard">hidden</span>
      </span>
    );
  }
  if (text === '') return <em className={styles.note}>empty</em>;
  return (
    <CopyValue {...{ text, of, which }}>
      <code className={styles.text}>{text}</code>
    </CopyValue>
  );
}
