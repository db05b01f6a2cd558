import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useRef } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import type { PreviewRequest } from '../../data/templates.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { CodeEditor, type CodeEditorHandle } from '../../kit/editing/code-editor.tsx';
import { useReferences } from '../../kit/editing/use-references.ts';
import { useObjectStatus } from '../../kit/status/use-object-status.ts';
import type { ListedEnvironment } from '../../lib/environment-tree.ts';
import type { MarkedProblem } from '../../lib/mentions.ts';
import button from '../../ui/button.module.css';
import { useSettled } from '../../ui/use-settled.ts';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { NoEnvironment, PreviewPane } from './preview-pane.tsx';
import styles from './template-editing.module.css';

const route = getRouteApi('/inside/projects/$name/templates/$template');

/** The pause in typing after which the preview is rendered. */
const SETTLED_MS = 400;

interface SidesProps {
  readonly projectId: string;
  readonly template: { readonly id: string; readonly name: string; readonly body: string };
  readonly text: string;
  readonly editor: React.RefObject<CodeEditorHandle | null>;
  readonly isReadOnly: boolean;
  onChange(text: string): void;
}

/** Shows the editor beside a preview in one or two environments. */
export function TemplateSides({ projectId, template, text, editor, isReadOnly, onChange }: SidesProps) {
  const { env, beside } = route.useSearch();
  const { args } = usePointInTime();
  const navigate = route.useNavigate();
  const { data: environments } = useQuery(environmentsQuery(args));
  const settledText = useSettled(text, SETTLED_MS, text) ?? undefined;
  const shownText = useLastDefined(settledText) ?? template.body;
  const editedTemplate = useMemo(() => ({ kind: 'template', name: template.name }) as const, [template.name]);
  const { problems, offered } = useReferences({
    projectId,
    edited: editedTemplate,
    text: shownText,
    isEnabled: !isReadOnly,
  });
  const names = environments?.map(({ name }) => name) ?? [];
  const first = env ?? names[0];
  const choose = (search: { readonly env?: string | undefined; readonly beside?: string | undefined }) =>
    void navigate({ search: (previousSearch) => ({ ...previousSearch, ...search }), replace: true });
  const previewRequest = { environments, projectId, template: template.id, pointInTime: args, text: shownText };
  return (
    <div className={styles.sides} data-three={beside !== undefined || undefined}>
      <section className={styles.side} aria-label="Text">
        <EditorHint isReadOnly={isReadOnly} />
        <CodeEditor
          isIndentedByTab
          handle={editor}
          text={text}
          label={withVisibleCharacters(`Text of ${template.name}`)}
          {...{ isReadOnly, offered, problems, onChange }}
        />
        <Problems text={shownText} problems={problems} />
      </section>
      {first !== undefined && (
        <NamedPreview {...previewRequest} name={first} label="Preview in" onChoose={(name) => choose({ env: name })}>
          {beside === undefined && names.length > 1 && (
            <button
              type="button"
              className={button.quiet}
              onClick={() => choose({ beside: names.find((name) => name !== first) })}
            >
              Compare with
            </button>
          )}
        </NamedPreview>
      )}
      {beside !== undefined && (
        <NamedPreview
          {...previewRequest}
          name={beside}
          label="Compare with"
          onChoose={(name) => choose({ beside: name })}
        >
          <button type="button" className={button.quiet} onClick={() => choose({ beside: undefined })}>
            Close
          </button>
        </NamedPreview>
      )}
    </div>
  );
}

function EditorHint({ isReadOnly }: { readonly isReadOnly: boolean }) {
  return (
    <p className={styles.hint}>
      {isReadOnly ? (
        'The stored template. Read-only.'
      ) : (
        <>
          <code>{'{{'}</code> suggests references. <kbd>Tab</kbd> indents; <kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves.
        </>
      )}
    </p>
  );
}

interface NamedPreviewProps extends Omit<PreviewRequest, 'environment'> {
  /** The name of the environment in the URL. */
  readonly name: string;
  readonly environments: readonly ListedEnvironment[] | undefined;
  readonly text: string;
  readonly label: string;
  /** The buttons next to the choice of the environment. */
  readonly children: ReactNode;
  onChoose(name: string): void;
}

/** Previews the text in an environment. If it does not exist, the existing ones are offered. */
function NamedPreview({ name, environments, text, label, children, onChoose, ...of }: NamedPreviewProps) {
  // The URL is updated when the environment is renamed.
  const status = useObjectStatus(environments, name, (row) => onChoose(row.name));
  if (!environments || !status) return null;
  const row = status.kind === 'here' || status.kind === 'renamed' ? status.row : null;
  const choice = (
    <span className={styles.choices}>
      <Choice
        label={label}
        names={environments.map((listedEnvironment) => listedEnvironment.name)}
        value={row?.name ?? null}
        onChange={onChoose}
      />
      {children}
    </span>
  );
  if (row === null) return <NoEnvironment name={name}>{choice}</NoEnvironment>;
  return (
    <PreviewPane previewed={{ ...of, environment: row.name }} text={text}>
      {choice}
    </PreviewPane>
  );
}

/** Returns the value, or the last defined one if it is undefined. */
function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const lastValue = useRef(value);
  if (value !== undefined) lastValue.current = value;
  return lastValue.current;
}

interface ChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  /** The chosen environment; null if it does not exist. */
  readonly value: string | null;
  onChange(name: string): void;
}

function Choice({ label, names, value, onChange }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      {label}
      <select value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
        {value === null && <option value="">Choose an environment</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {withVisibleCharacters(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

const LISTED = 20;

/** Lists the underlined errors, for screen readers. */
function Problems({ text, problems }: { readonly text: string; readonly problems: readonly MarkedProblem[] }) {
  const lineNumber = (at: number) => text.slice(0, at).split('\n').length;
  return (
    <ul className={styles.problems} aria-live="polite" aria-label="Errors in the template">
      {problems.slice(0, LISTED).map(({ from, message }) => (
        <li key={from}>
          Line {lineNumber(from)}: <UserText>{message}</UserText>
        </li>
      ))}
      {problems.length > LISTED && <li>And {(problems.length - LISTED).toLocaleString()} more.</li>}
    </ul>
  );
}
