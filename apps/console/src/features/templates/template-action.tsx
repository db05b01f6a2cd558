import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { DifferenceLines } from '../../kit/difference/difference-lines.tsx';
import { type ChangesetOperations, PlannedChange } from '../../kit/planned/planned-change.tsx';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './template-editing.module.css';
import { TemplateForm } from './template-form.tsx';

const route = getRouteApi('/inside/projects/$name/templates/$template');

export interface ShownTemplate {
  readonly id: string;
  readonly ledgerId: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

/** An open action on a template, with the operations of its plan. */
export type TemplateAction =
  | { readonly kind: 'save'; readonly text: string; readonly operations: ChangesetOperations }
  | { readonly kind: 'details'; readonly template: ShownTemplate }
  | { readonly kind: 'delete'; readonly operations: ChangesetOperations };

interface ActionPlanProps {
  readonly projectId: string;
  readonly base: ShownTemplate;
  readonly action: TemplateAction;
  onClose(): void;
}

export function ActionPlan({ projectId, base, action, onClose }: ActionPlanProps) {
  const { name: projectName } = route.useParams();
  const navigate = useNavigate();
  const cancel = (
    <button type="button" className={button.quiet} onClick={onClose}>
      Cancel
    </button>
  );
  switch (action.kind) {
    case 'details':
      return (
        <TemplateForm
          projectId={projectId}
          template={action.template}
          onApplied={async (revision, template) => {
            onClose();
            const params = { name: projectName, template };
            const to = '/projects/$name/templates/$template';
            await navigate({ to, params, search: (search) => search, state: { applied: revision } });
          }}
          onClose={onClose}
        />
      );
    case 'delete':
      return (
        <div className={page.doing}>
          <h2>
            Delete <UserText>{base.name}</UserText>
          </h2>
          <PlannedChange
            operations={action.operations}
            verb="Delete template"
            busyVerb="Deleting …"
            deletes={{ kind: 'template', name: base.name }}
            message={`Delete template ${base.name}`}
            onApplied={(revision) =>
              navigate({ to: '/projects/$name/templates', params: { name: projectName }, state: { applied: revision } })
            }
            aside={cancel}
          />
        </div>
      );
    case 'save':
      return (
        <div className={page.doing}>
          <h2>
            Save <UserText>{base.name}</UserText>
          </h2>
          <DifferenceLines before={base.body} after={action.text} />
          <PlannedChange
            operations={action.operations}
            verb="Save"
            busyVerb="Saving …"
            message={`Text of ${base.name}`}
            onApplied={async (revision) => {
              onClose();
              await navigate({ to: '.', search: (search) => search, replace: true, state: { applied: revision } });
            }}
            aside={cancel}
          />
        </div>
      );
  }
}

interface ConflictProps {
  readonly base: ShownTemplate;
  readonly current: ShownTemplate;
  onTakeTheirs(): void;
  onKeepMine(): void;
}

export function Conflict({ base, current, onTakeTheirs, onKeepMine }: ConflictProps) {
  return (
    <div className={styles.conflict} role="alert">
      <h2>Someone else has saved this template</h2>
      <p>Their changes since you started:</p>
      <DifferenceLines before={base.body} after={current.body} />
      <div className={page.buttons}>
        <button type="button" className={button.plain} onClick={onTakeTheirs}>
          Take theirs
        </button>
        <button type="button" className={button.plain} onClick={onKeepMine}>
          Keep mine
        </button>
      </div>
    </div>
  );
}

/** Creates an action. Its array of operations never changes, so that the plan is requested only once. */
export function findAction(
  kind: TemplateAction['kind'],
  projectId: string,
  template: ShownTemplate,
  text: string,
): TemplateAction {
  switch (kind) {
    case 'details':
      return { kind, template };
    case 'delete':
      return { kind, operations: deletionOperations(projectId, template) };
    case 'save':
      return { kind, text, operations: updateOperations(projectId, template, text) };
  }
}

const updateOperations = (projectId: string, { id, ledgerId }: ShownTemplate, body: string): ChangesetOperations => [
  {
    operation: 'projects_templates_partial_update',
    path: { project_pk: projectId, id },
    body: { body },
    ifMatch: ledgerId,
  },
];

const deletionOperations = (projectId: string, { id, ledgerId }: ShownTemplate): ChangesetOperations => [
  { operation: 'projects_templates_destroy', path: { project_pk: projectId, id }, ifMatch: ledgerId },
];
