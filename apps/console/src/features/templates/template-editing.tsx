import { getRouteApi, Link, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { CodeEditorHandle } from '../../kit/editing/code-editor.tsx';
import button from '../../ui/button.module.css';
import { LeaveDialog } from '../../ui/leave-dialog.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { editingStatus } from './editing.ts';
import { ActionPlan, Conflict, findAction, type ShownTemplate, type TemplateAction } from './template-action.tsx';
import styles from './template-editing.module.css';
import { TemplateSides } from './template-sides.tsx';

const route = getRouteApi('/inside/projects/$name/templates/$template');

interface TemplateEditingProps {
  readonly projectId: string;
  /** The version with which the editor starts. */
  readonly seen: ShownTemplate;
  /** The stored version; null if no template has this name any more. */
  readonly current: ShownTemplate | null;
  readonly canWrite: boolean;
}

/** Edits a template beside its preview. */
export function TemplateEditing({ projectId, seen, current, canWrite }: TemplateEditingProps) {
  const editor = useRef<CodeEditorHandle>(null);
  const [base, setBase] = useState(seen);
  const [text, setText] = useState(seen.body);
  const [action, setAction] = useState<TemplateAction | null>(null);
  const status = editingStatus(base, current, text);
  const isChanged = text !== base.body && text !== current?.body;
  const leaveBlocker = useLeaving(isChanged);
  useEffect(() => {
    if (status !== 'moved' || !current) return;
    if (text === base.body && current.body !== text) editor.current?.replace(current.body);
    setBase(current);
  }, [status, current, text, base]);
  const rebase = (version: ShownTemplate) => {
    setBase(version);
    // The open plan expects the previous version.
    setAction(null);
  };
  const write = (newText: string) => {
    setText(newText);
    // A plan is only valid for the text for which it was computed.
    setAction((previousAction) => (previousAction?.kind === 'save' ? null : previousAction));
  };
  return (
    <div className={styles.page}>
      <div className={page.head}>
        <About template={base} />
        <Actions
          template={base}
          canChange={canWrite && !isChanged && status !== 'gone' && action === null}
          canSave={canWrite && isChanged && status === 'current' && action === null}
          onDiscard={() => editor.current?.replace(base.body)}
          onAction={(kind) => setAction(findAction(kind, projectId, base, text))}
        />
      </div>
      {action && <ActionPlan projectId={projectId} base={base} action={action} onClose={() => setAction(null)} />}
      {status === 'conflict' && current && (
        <Conflict
          base={base}
          current={current}
          onTakeTheirs={() => {
            editor.current?.replace(current.body);
            rebase(current);
          }}
          onKeepMine={() => rebase(current)}
        />
      )}
      {status === 'gone' && (
        <div className={styles.conflict} role="alert">
          <h2>This template no longer exists</h2>
          <p>It was deleted or renamed. You can still copy your text from here.</p>
        </div>
      )}
      <TemplateSides {...{ projectId, template: base, text, editor, isReadOnly: !canWrite, onChange: write }} />
      {leaveBlocker}
    </div>
  );
}

function About({ template: { description } }: { readonly template: ShownTemplate }) {
  const { name } = route.useParams();
  return (
    <p className={page.note}>
      {description === '' ? (
        'A template of '
      ) : (
        <>
          <UserText>{description}</UserText>
          {' · a template of '}
        </>
      )}
      <Link to="/projects/$name/templates" params={{ name }} className={page.link}>
        <UserText>{name}</UserText>
      </Link>
    </p>
  );
}

interface ActionsProps {
  readonly template: ShownTemplate;
  readonly canChange: boolean;
  readonly canSave: boolean;
  onDiscard(): void;
  onAction(kind: TemplateAction['kind']): void;
}

function Actions({ template, canChange, canSave, onDiscard, onAction }: ActionsProps) {
  const { name } = route.useParams();
  return (
    <div className={page.buttons}>
      <Link
        to="/projects/$name/templates/$template/history"
        params={{ name, template: template.name }}
        className={button.quiet}
      >
        Versions
      </Link>
      {canChange && (
        <>
          <button type="button" className={button.plain} onClick={() => onAction('details')}>
            Rename or describe
          </button>
          <button type="button" className={button.danger} onClick={() => onAction('delete')}>
            Delete
          </button>
        </>
      )}
      {canSave && (
        <>
          <button type="button" className={button.plain} onClick={onDiscard}>
            Discard
          </button>
          <button type="button" className={button.main} onClick={() => onAction('save')}>
            Review and save
          </button>
        </>
      )}
    </div>
  );
}

const readPointInTime = (search: object): unknown => ('at' in search ? search.at : undefined);

/** Returns a dialog that confirms leaving the page with unsaved text; null if there is nothing to confirm. */
function useLeaving(isChanged: boolean) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged &&
      (current.pathname !== next.pathname || readPointInTime(current.search) !== readPointInTime(next.search)),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <LeaveDialog title="Leave without saving?" onLeave={blocker.proceed} onStay={blocker.reset}>
      Your changes are not saved. If you leave this page, they are discarded.
    </LeaveDialog>
  );
}
