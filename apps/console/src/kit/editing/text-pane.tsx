import { Braces } from 'lucide-react';
import { type ReactNode, Suspense, useMemo, useRef } from 'react';
import { formatJson, isJsonDocument, looksLikeJson } from '../../lib/json-text.ts';
import { withoutCarriageReturns } from '../../lib/line-breaks.ts';
import type { Completions, MarkedProblem } from '../../lib/mentions.ts';
import { pemBlocks } from '../../lib/pem-text.ts';
import button from '../../ui/button.module.css';
import { copySecret } from '../../ui/clipboard.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { CodeEditor, type CodeEditorHandle } from './code-editor.tsx';
import { jsonProblem } from './json-problem.ts';
import styles from './text-pane.module.css';

const PemSummary = lazyPart(async () => (await import('./pem-summary.tsx')).PemSummary);

interface TextPaneProps {
  readonly label: string;
  /** The text with which the editor starts. A new version replaces the editor and its steps of undo. */
  readonly doc: { readonly version: number; readonly text: string };
  readonly text: string;
  readonly isReadOnly: boolean;
  readonly isSecret: boolean;
  /** Whether the text is shown as dots and cannot be copied. */
  readonly isHidden: boolean;
  /** Whether the text must be JSON; null if its beginning decides. */
  readonly isJson: boolean | null;
  /** Whether the text is evaluated, so that it need not be valid JSON itself. */
  readonly isTemplate: boolean;
  /** The unknown references of the text. */
  readonly unknown?: readonly MarkedProblem[] | undefined;
  /** The buttons above the editor. */
  readonly children?: ReactNode;
  offered?(): Promise<readonly Completions[]>;
  onChange?(text: string, isCompletion: boolean): void;
}

/** The pause in typing after which the text is checked. */
const SETTLED_MS = 300;
const NO_PROBLEMS: readonly MarkedProblem[] = [];
const NO_COMPLETIONS = async (): Promise<readonly Completions[]> => [];

/** An editor for a long text, with the problems of JSON and a summary of certificates. */
export function TextPane(props: TextPaneProps) {
  const { label, doc, text, isReadOnly, isSecret, isHidden, isTemplate, children, unknown = NO_PROBLEMS } = props;
  const editor = useRef<CodeEditorHandle>(null);
  const settledText = useSettled(text, SETTLED_MS, text) ?? (text === doc.text ? text : '');
  const isJson = (props.isJson ?? looksLikeJson(text)) && text !== '';
  const problem = useMemo(
    () => (isJson && !isTemplate && settledText !== '' ? jsonProblem(withoutCarriageReturns(settledText)) : null),
    [isJson, isTemplate, settledText],
  );
  const blocks = useMemo(() => pemBlocks(settledText), [settledText]);
  const problems = useMemo(() => (problem ? [...unknown, problem] : unknown), [unknown, problem]);
  const onCopy = isSecret ? (copiedText: string) => void (isHidden || copySecret(copiedText)) : undefined;
  return (
    <>
      <div className={styles.tools}>
        {children}
        {isJson && !isReadOnly && (
          <button
            type="button"
            className={button.plain}
            disabled={!isJsonDocument(text)}
            onClick={() => {
              editor.current?.replace(formatJson(text));
              editor.current?.focus();
            }}
          >
            <Braces size={14} aria-hidden /> Format
          </button>
        )}
        {text !== '' && !isHidden && <CopyButton text={text} label="Copy" of="the whole text" isSecret={isSecret} />}
        {text !== '' && !isHidden && <span className={styles.size}>{describeSize(text, isJson)}</span>}
      </div>
      <div className={styles.parts} data-summary={(blocks.length > 0 && !isHidden) || undefined}>
        <CodeEditor
          key={doc.version}
          handle={editor}
          text={doc.text}
          language={isJson && !isHidden ? 'json' : 'plain'}
          offered={props.offered ?? NO_COMPLETIONS}
          onChange={props.onChange ?? (() => {})}
          isFilling
          {...{ label, isReadOnly, isHidden, problems, onCopy }}
        />
        {blocks.length > 0 && !isHidden && (
          <Suspense>
            <PemSummary {...{ blocks, isSecret }} />
          </Suspense>
        )}
      </div>
      <p role="status" className={styles.problem}>
        {problem?.message}
      </p>
    </>
  );
}

function describeSize(text: string, isJson: boolean): string {
  const lines = text.split('\n').length;
  const size = `${lines.toLocaleString()} ${lines === 1 ? 'line' : 'lines'}, ${text.length.toLocaleString()} characters`;
  return isJson ? `JSON, ${size}` : size;
}
