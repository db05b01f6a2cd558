import type { ChangesetOperations } from '../../kit/planned/planned-change.tsx';
import { PlannedForm } from '../../kit/planned/planned-form.tsx';
import { Field, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';

interface TemplateFormProps {
  readonly projectId: string;
  /** The template to change; null to create one. */
  readonly template: {
    readonly id: string;
    readonly ledgerId: string;
    readonly name: string;
    readonly description: string;
  } | null;
  onApplied(revision: number, name: string): void | Promise<void>;
  onClose(): void;
}

/** Creates a template, or changes its name and description. The text is changed in the editor. */
export function TemplateForm({ projectId, template, onApplied, onClose }: TemplateFormProps) {
  const read = (form: FormData) => ({
    name: trimmedField(form, 'name'),
    description: trimmedField(form, 'description'),
  });
  const path = { project_pk: projectId };
  const listOperations = (form: FormData): ChangesetOperations =>
    template === null
      ? [{ operation: 'projects_templates_create', path, body: read(form) }]
      : [
          {
            operation: 'projects_templates_partial_update',
            path: { ...path, id: template.id },
            body: read(form),
            ifMatch: template.ledgerId,
          },
        ];
  return (
    <div className={page.doing}>
      <h2>
        {template === null ? (
          'Create template'
        ) : (
          <>
            Rename or describe <UserText>{template.name}</UserText>
          </>
        )}
      </h2>
      <PlannedForm
        verb={template === null ? 'Create template' : 'Save name and description'}
        busyVerb="Applying …"
        operationsOf={listOperations}
        message={(form) => (template === null ? `New template ${read(form).name}` : `Template ${template.name}`)}
        onApplied={(revision, form) => onApplied(revision, read(form).name)}
        onCancel={onClose}
      >
        <Field name="name" label="Name" hint="Often the file name, such as nginx.conf.">
          {(field) => (
            <input
              {...field}
              defaultValue={template?.name}
              maxLength={255}
              autoComplete="off"
              spellCheck={false}
              required
            />
          )}
        </Field>
        <Field name="description" label="Description">
          {(field) => <textarea {...field} defaultValue={template?.description} rows={2} />}
        </Field>
      </PlannedForm>
    </div>
  );
}
