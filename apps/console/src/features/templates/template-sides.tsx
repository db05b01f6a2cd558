import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useRef } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { type Previewed, referableQuery } from '../../data/templates.ts';
import { useMoment } from '../../data/use-moment.ts';
import { useObjectStatus } from '../../kit/status/use-object-status.ts';
import type { ListedEnvironment } from '../../lib/environment-tree.ts';
import { completionsFor, type MarkedProblem, unknownIn } from '../../lib/mentions.ts';
import button from '../../ui/button.module.css';
import { spelledOut } from '../../ui/spelled-out.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { UserText } from '../../ui/user-text.tsx';
import { CodeEditor, type CodeEditorHandle } from './code-editor.tsx';
import { NoEnvironment, PreviewPane } from './preview-pane.tsx';
import styles from './template-editing.module.css';

const route = getRouteApi('/inside/projects/$name/templates/$template');

/** Waits for a pause in typing, so that each pause renders once. */
const SETTLED_MS = 400;
const NO_PROBLEMS: readonly MarkedProblem[] = [];

interface SidesProps {
  readonly projectId: string;
  readonly template: { readonly id: string; readonly name: string; readonly body: string };
  readonly text: string;
  readonly editor: React.RefObject<CodeEditorHandle | null>;
  readonly isReadOnly: boolean;
  onChange(text: string): void;
}

/** The text, and beside it what it reads in one environment or two. */
export function TemplateSides({ projectId, template, text, editor, isReadOnly, onChange }: SidesProps) {
  const { name: projectName } = route.useParams();
  const { env, beside } = route.useSearch();
  const { args } = useMoment();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const { data: environments } = useQuery(environmentsQuery(args));
  const { data: projects = [] } = useQuery(projectsQuery(args));
  const projectNames = useMemo(() => projects.map(({ name }) => name), [projects]);
  const { data: referable } = useQuery({ ...referableQuery(projectId, projectNames), enabled: !isReadOnly });
  const settled = useSettled(text, SETTLED_MS, text) ?? undefined;
  const shown = useLast(settled) ?? template.body;
  const problems = useMemo(
    () => (referable ? unknownIn(shown, referable, projectName) : NO_PROBLEMS),
    [shown, referable, projectName],
  );
  // Whoever types before everything is read waits for it.
  const offered = async () => {
    const known = referable ?? (await client.fetchQuery(referableQuery(projectId, projectNames)));
    return completionsFor(known, projectName, template.name);
  };
  const names = environments?.map(({ name }) => name) ?? [];
  const first = env ?? names[0];
  const choose = (search: { readonly env?: string | undefined; readonly beside?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...search }), replace: true });
  return (
    <div className={styles.sides} data-three={beside !== undefined || undefined}>
      <section className={styles.side} aria-label="Text">
        <p className={styles.hint}>
          {isReadOnly ? (
            'The stored template. Read-only.'
          ) : (
            <>
              <code>{'{{'}</code> suggests references. <kbd>Tab</kbd> indents; <kbd>Esc</kbd>, then <kbd>Tab</kbd>{' '}
              leaves.
            </>
          )}
        </p>
        <CodeEditor
          handle={editor}
          text={text}
          label={spelledOut(`Text of ${template.name}`)}
          isReadOnly={isReadOnly}
          offered={offered}
          problems={problems}
          onChange={onChange}
        />
        <Problems text={shown} problems={problems} />
      </section>
      {first !== undefined && (
        <Reads
          name={first}
          environments={environments}
          {...{ projectId, template: template.id, moment: args, text: shown }}
          label="Preview in"
          onChoose={(name) => choose({ env: name })}
        >
          {beside === undefined && names.length > 1 && (
            <button
              type="button"
              className={button.quiet}
              onClick={() => choose({ beside: names.find((name) => name !== first) })}
            >
              Compare with
            </button>
          )}
        </Reads>
      )}
      {beside !== undefined && (
        <Reads
          name={beside}
          environments={environments}
          {...{ projectId, template: template.id, moment: args, text: shown }}
          label="Compare with"
          onChoose={(name) => choose({ beside: name })}
        >
          <button type="button" className={button.quiet} onClick={() => choose({ beside: undefined })}>
            Close
          </button>
        </Reads>
      )}
    </div>
  );
}

interface ReadsProps extends Omit<Previewed, 'environment'> {
  /** Of the environment, as the address says it. */
  readonly name: string;
  readonly environments: readonly ListedEnvironment[] | undefined;
  readonly text: string;
  readonly label: string;
  /** What else there is to do, behind the choice. */
  readonly children: ReactNode;
  onChoose(name: string): void;
}

/** What the text reads in one environment; where there is none of that name, which ones there are. */
function Reads({ name, environments, text, label, children, onChoose, ...of }: ReadsProps) {
  // The address follows where somebody calls it otherwise.
  const standing = useObjectStatus(environments, name, (row) => onChoose(row.name));
  if (!environments || !standing) return null;
  const row = standing.kind === 'here' || standing.kind === 'renamed' ? standing.row : null;
  const choice = (
    <span className={styles.choices}>
      <Choice label={label} names={environments.map((one) => one.name)} value={row?.name ?? null} onChange={onChoose} />
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

/** What was there last, while there is nothing. */
function useLast<Value>(value: Value | undefined): Value | undefined {
  const last = useRef(value);
  if (value !== undefined) last.current = value;
  return last.current;
}

interface ChoiceProps {
  readonly label: string;
  readonly names: readonly string[];
  /** Null where none is chosen that is there. */
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
            {spelledOut(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

const LISTED = 20;

/** What is underlined, for who does not see it. */
function Problems({ text, problems }: { readonly text: string; readonly problems: readonly MarkedProblem[] }) {
  const lineOf = (at: number) => text.slice(0, at).split('\n').length;
  return (
    <ul className={styles.problems} aria-live="polite" aria-label="Errors in the template">
      {problems.slice(0, LISTED).map(({ from, message }) => (
        <li key={from}>
          Line {lineOf(from)}: <UserText>{message}</UserText>
        </li>
      ))}
      {problems.length > LISTED && <li>And {(problems.length - LISTED).toLocaleString()} more.</li>}
    </ul>
  );
}
