import { getRouteApi, Link, useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import button from '../../ui/button.module.css';
import { LeaveDialog } from '../../ui/leave-dialog.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import type { CodeEditorHandle } from './code-editor.tsx';
import { standingOf } from './editing.ts';
import { begun, Conflict, DoingPart, type ShownTemplate, type TemplateDoing } from './template-doing.tsx';
import styles from './template-editing.module.css';
import { TemplateSides } from './template-sides.tsx';

const route = getRouteApi('/inside/projects/$name/templates/$template');

interface TemplateEditingProps {
  readonly projectId: string;
  /** As it was when it was last seen. */
  readonly seen: ShownTemplate;
  /** As it is now; null when it is not there any more under this name. */
  readonly present: ShownTemplate | null;
  readonly canWrite: boolean;
}

/** The text of a template while it is written, with what it would read. */
export function TemplateEditing({ projectId, seen, present, canWrite }: TemplateEditingProps) {
  const { name: projectName } = route.useParams();
  const editor = useRef<CodeEditorHandle>(null);
  const [base, setBase] = useState(seen);
  const [text, setText] = useState(seen.body);
  const [doing, setDoing] = useState<TemplateDoing | null>(null);
  const standing = standingOf(base, present, text);
  const isChanged = text !== base.body && text !== present?.body;
  const leaving = useLeaving(isChanged);
  useEffect(() => {
    if (standing !== 'moved' || !present) return;
    if (text === base.body && present.body !== text) editor.current?.replace(present.body);
    setBase(present);
  }, [standing, present, text, base]);
  const goOnFrom = (version: ShownTemplate) => {
    setBase(version);
    // A plan that was made before expects the version before.
    setDoing(null);
  };
  const write = (fresh: string) => {
    setText(fresh);
    // A plan is of the text that was shown with it.
    setDoing((old) => (old?.kind === 'save' ? null : old));
  };
  return (
    <div className={styles.page}>
      <div className={page.head}>
        <p className={page.note}>
          {base.description === '' ? (
            'A template of '
          ) : (
            <>
              <UserText>{base.description}</UserText>
              {' · a template of '}
            </>
          )}
          <Link to="/projects/$name/templates" params={{ name: projectName }} className={page.link}>
            <UserText>{projectName}</UserText>
          </Link>
        </p>
        <Verbs
          template={base}
          canChange={canWrite && !isChanged && standing !== 'gone' && doing === null}
          canSave={canWrite && isChanged && standing === 'current' && doing === null}
          onDiscard={() => editor.current?.replace(base.body)}
          onDo={(kind) => setDoing(begun(kind, projectId, base, text))}
        />
      </div>
      {doing && <DoingPart projectId={projectId} base={base} doing={doing} onClose={() => setDoing(null)} />}
      {standing === 'conflict' && present && (
        <Conflict
          base={base}
          present={present}
          onTakeTheirs={() => {
            editor.current?.replace(present.body);
            goOnFrom(present);
          }}
          onKeepMine={() => goOnFrom(present)}
        />
      )}
      {standing === 'gone' && (
        <div className={styles.conflict} role="alert">
          <h2>This template no longer exists</h2>
          <p>It was deleted or renamed. You can still copy your text from here.</p>
        </div>
      )}
      <TemplateSides {...{ projectId, template: base, text, editor, isReadOnly: !canWrite, onChange: write }} />
      {leaving}
    </div>
  );
}

interface VerbsProps {
  readonly template: ShownTemplate;
  readonly canChange: boolean;
  readonly canSave: boolean;
  onDiscard(): void;
  onDo(kind: TemplateDoing['kind']): void;
}

/** What can be done with a template now. */
function Verbs({ template, canChange, canSave, onDiscard, onDo }: VerbsProps) {
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
          <button type="button" className={button.plain} onClick={() => onDo('details')}>
            Rename or describe
          </button>
          <button type="button" className={button.plain} onClick={() => onDo('delete')}>
            Delete
          </button>
        </>
      )}
      {canSave && (
        <>
          <button type="button" className={button.plain} onClick={onDiscard}>
            Discard
          </button>
          <button type="button" className={button.main} onClick={() => onDo('save')}>
            Review and save
          </button>
        </>
      )}
    </div>
  );
}

const momentOf = (search: object): unknown => ('at' in search ? search.at : undefined);

/** Asks before a text is lost; what it asks with. */
function useLeaving(isChanged: boolean) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && (current.pathname !== next.pathname || momentOf(current.search) !== momentOf(next.search)),
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
