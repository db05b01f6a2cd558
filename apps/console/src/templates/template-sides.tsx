import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { environmentsQuery } from '../environments/environments.ts';
import { useMoment } from '../moment/use-moment.ts';
import { projectsQuery } from '../projects/projects.ts';
import button from '../ui/button.module.css';
import { useSettled } from '../ui/use-settled.ts';
import { CodeEditor, type CodeEditorHandle } from './code-editor.tsx';
import { type MarkedProblem, offeredBy, unknownIn } from './mentions.ts';
import { PreviewPane } from './preview-pane.tsx';
import styles from './template-editing.module.css';
import { referableQuery } from './templates.ts';

const route = getRouteApi('/inside/projects/$name/templates/$template');

/** Whoever types quickly has it rendered once. */
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
  const { data: environments = [] } = useQuery(environmentsQuery(args));
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
    return offeredBy(known, projectName, template.name);
  };
  const names = environments.map(({ name }) => name);
  const environment = env !== undefined && names.includes(env) ? env : names[0];
  const second = beside !== undefined && names.includes(beside) ? beside : undefined;
  const choose = (search: { readonly env?: string | undefined; readonly beside?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...search }), replace: true });
  return (
    <div className={styles.sides} data-three={second !== undefined || undefined}>
      <section className={styles.side} aria-label="Text">
        <p className={styles.hint}>
          {isReadOnly ? (
            'The text as it is stored. You can read it, not change it.'
          ) : (
            <>
              <code>{'{{'}</code> offers what can be referred to. <kbd>Tab</kbd> indents; <kbd>Esc</kbd>, then{' '}
              <kbd>Tab</kbd> leaves.
            </>
          )}
        </p>
        <CodeEditor
          handle={editor}
          text={text}
          label={`Text of ${template.name}`}
          isReadOnly={isReadOnly}
          offered={offered}
          problems={problems}
          onChange={onChange}
        />
        <Problems text={shown} problems={problems} />
      </section>
      {[environment, second].map(
        (each, at) =>
          each !== undefined && (
            <PreviewPane
              key={at === 0 ? 'first' : 'second'}
              previewed={{ projectId, template: template.id, environment: each, moment: args }}
              text={shown}
            >
              <span className={styles.choices}>
                <Choice
                  label={at === 0 ? 'Reads in' : 'Beside it'}
                  names={names}
                  value={each}
                  onChange={(name) => choose(at === 0 ? { env: name } : { beside: name })}
                />
                {at === 0 && second === undefined && names.length > 1 && (
                  <button
                    type="button"
                    className={button.quiet}
                    onClick={() => choose({ beside: names.find((name) => name !== each) })}
                  >
                    Another beside it
                  </button>
                )}
                {at === 1 && (
                  <button type="button" className={button.quiet} onClick={() => choose({ beside: undefined })}>
                    Close
                  </button>
                )}
              </span>
            </PreviewPane>
          ),
      )}
    </div>
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
  readonly value: string;
  onChange(name: string): void;
}

function Choice({ label, names, value, onChange }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {names.map((name) => (
          <option key={name}>{name}</option>
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
    <ul className={styles.problems} aria-live="polite" aria-label="What is wrong with the text">
      {problems.slice(0, LISTED).map(({ from, message }) => (
        <li key={from}>
          Line {lineOf(from)}: {message}
        </li>
      ))}
      {problems.length > LISTED && <li>And {(problems.length - LISTED).toLocaleString()} more.</li>}
    </ul>
  );
}
