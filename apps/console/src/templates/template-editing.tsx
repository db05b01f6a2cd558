import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { environmentsQuery } from '../environments/environments.ts';
import { useMoment } from '../moment/use-moment.ts';
import { projectsQuery } from '../projects/projects.ts';
import { type ChangesetOperations, PlannedChange } from '../review/planned-change.tsx';
import button from '../ui/button.module.css';
import page from '../ui/page.module.css';
import { useSettled } from '../ui/use-settled.ts';
import { CodeEditor, type CodeEditorHandle } from './code-editor.tsx';
import { DifferenceLines } from './difference-lines.tsx';
import { standingOf } from './editing.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { offeredBy, type TextProblem, unknownIn } from './mentions.ts';
import { PreviewPane } from './preview-pane.tsx';
import styles from './template-editing.module.css';
import box from './template-form.module.css';
import { TemplateForm } from './template-form.tsx';
import { referableQuery } from './templates.ts';

const route = getRouteApi('/inside/projects/$name/templates/$template');

export interface ShownTemplate {
  readonly id: string;
  readonly ledgerId: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

interface TemplateEditingProps {
  readonly projectId: string;
  /** As it was when it was last seen. */
  readonly seen: ShownTemplate;
  /** As it is now; null when it is not there any more under this name. */
  readonly present: ShownTemplate | null;
  readonly canWrite: boolean;
}

type Doing =
  | { readonly kind: 'save'; readonly text: string; readonly operations: ChangesetOperations }
  | { readonly kind: 'details'; readonly template: ShownTemplate }
  | { readonly kind: 'delete'; readonly operations: ChangesetOperations };

/** Whoever types quickly has it rendered once. */
const SETTLED_MS = 400;
const NO_PROBLEMS: readonly TextProblem[] = [];

/** The text of a template while it is written, with what it would read. */
export function TemplateEditing({ projectId, seen, present, canWrite }: TemplateEditingProps) {
  const { name: projectName } = route.useParams();
  const navigate = useNavigate();
  const editor = useRef<CodeEditorHandle>(null);
  const [base, setBase] = useState(seen);
  const [text, setText] = useState(seen.body);
  const [doing, setDoing] = useState<Doing | null>(null);
  const standing = standingOf(base, present, text);
  const isChanged = text !== base.body && text !== present?.body;
  const leaving = useLeaving(isChanged);
  useEffect(() => {
    if (standing !== 'moved' || !present) return;
    if (text === base.body && present.body !== text) editor.current?.replace(present.body);
    setBase(present);
  }, [standing, present, text, base]);
  const write = (fresh: string) => {
    setText(fresh);
    // A plan is of the text that was shown with it.
    setDoing((old) => (old?.kind === 'save' ? null : old));
  };
  const save = () => setDoing({ kind: 'save', text, operations: savingOf(projectId, base, text) });
  const close = () => setDoing(null);
  return (
    <div className={styles.page}>
      <div className={page.head}>
        <p className={page.note}>
          {base.description === '' ? 'A template of ' : `${base.description} · a template of `}
          <Link to="/projects/$name/templates" params={{ name: projectName }} className={page.link}>
            {projectName}
          </Link>
        </p>
        <div className={page.buttons}>
          <Link
            to="/projects/$name/templates/$template/history"
            params={{ name: projectName, template: base.name }}
            className={button.quiet}
          >
            Earlier texts
          </Link>
          {canWrite && !isChanged && standing !== 'gone' && doing === null && (
            <>
              <button
                type="button"
                className={button.plain}
                onClick={() => setDoing({ kind: 'details', template: base })}
              >
                Rename or describe
              </button>
              <button
                type="button"
                className={button.plain}
                onClick={() => setDoing({ kind: 'delete', operations: removalOf(projectId, base) })}
              >
                Delete
              </button>
            </>
          )}
          {canWrite && isChanged && standing === 'current' && doing === null && (
            <>
              <button type="button" className={button.plain} onClick={() => editor.current?.replace(base.body)}>
                Discard
              </button>
              <button type="button" className={button.main} onClick={save}>
                Review and save
              </button>
            </>
          )}
        </div>
      </div>
      {doing?.kind === 'details' && (
        <TemplateForm
          projectId={projectId}
          template={doing.template}
          onApplied={async (name) => {
            close();
            await navigate({
              to: '/projects/$name/templates/$template',
              params: { name: projectName, template: name },
              search: (search) => search,
            });
          }}
          onClose={close}
        />
      )}
      {doing?.kind === 'delete' && (
        <div className={box.box}>
          <h2>Delete {base.name}</h2>
          <PlannedChange
            operations={doing.operations}
            verb="Delete the template"
            busyVerb="Deleting …"
            message={`No template ${base.name} any more`}
            onApplied={() => navigate({ to: '/projects/$name/templates', params: { name: projectName } })}
            aside={<Cancel onClick={close} />}
          />
        </div>
      )}
      {doing?.kind === 'save' && (
        <div className={box.box}>
          <h2>Save {base.name}</h2>
          <DifferenceLines before={base.body} after={doing.text} />
          <PlannedChange
            operations={doing.operations}
            verb="Save the text"
            busyVerb="Saving …"
            message={`Text of ${base.name}`}
            onApplied={close}
            aside={<Cancel onClick={close} />}
          />
        </div>
      )}
      {standing === 'conflict' && present && (
        <div className={styles.conflict} role="alert">
          <h2>Somebody else has saved another text meanwhile</h2>
          <p>What they changed since you began:</p>
          <DifferenceLines before={base.body} after={present.body} />
          <div className={page.buttons}>
            <button
              type="button"
              className={button.plain}
              onClick={() => {
                editor.current?.replace(present.body);
                setBase(present);
              }}
            >
              Take theirs
            </button>
            <button type="button" className={button.plain} onClick={() => setBase(present)}>
              Keep mine
            </button>
          </div>
        </div>
      )}
      {standing === 'gone' && (
        <div className={styles.conflict} role="alert">
          <h2>There is no template of this name any more</h2>
          <p>Somebody has deleted or renamed it. Your text is still here, to be copied.</p>
        </div>
      )}
      <Sides {...{ projectId, template: base, text, editor, isReadOnly: !canWrite, onChange: write }} />
      {leaving}
    </div>
  );
}

function Cancel({ onClick }: { onClick(): void }) {
  return (
    <button type="button" className={button.quiet} onClick={onClick}>
      Cancel
    </button>
  );
}

const savingOf = (projectId: string, { id, ledgerId }: ShownTemplate, body: string): ChangesetOperations => [
  {
    operation: 'projects_templates_partial_update',
    path: { project_pk: projectId, id },
    body: { body },
    ifMatch: ledgerId,
  },
];

const removalOf = (projectId: string, { id, ledgerId }: ShownTemplate): ChangesetOperations => [
  { operation: 'projects_templates_destroy', path: { project_pk: projectId, id }, ifMatch: ledgerId },
];

/** Asks before a text is lost; what it asks with. */
function useLeaving(isChanged: boolean) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />;
}

interface SidesProps {
  readonly projectId: string;
  readonly template: ShownTemplate;
  readonly text: string;
  readonly editor: React.RefObject<CodeEditorHandle | null>;
  readonly isReadOnly: boolean;
  onChange(text: string): void;
}

/** The text, and beside it what it reads in one environment or two. */
function Sides({ projectId, template, text, editor, isReadOnly, onChange }: SidesProps) {
  const { name: projectName } = route.useParams();
  const { env, beside } = route.useSearch();
  const { args } = useMoment();
  const navigate = route.useNavigate();
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
  const offered = useMemo(
    () => (referable ? offeredBy(referable, projectName, template.name) : []),
    [referable, projectName, template.name],
  );
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
              <code>{'{{'}</code> offers what can be referred to. <kbd>Tab</kbd> indents; <kbd>Esc</kbd>, then <kbd>Tab</kbd>{' '}
              leaves.
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
function Problems({ text, problems }: { readonly text: string; readonly problems: readonly TextProblem[] }) {
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
