import { useMemo, useState } from 'react';
import type { DetailedEnvironment } from '../../data/environments.ts';
import { instantOfRevision } from '../../data/history.ts';
import type { ListedTag } from '../../data/tags.ts';
import { DeleteForm, SaveForm } from '../../kit/planned/described-forms.tsx';
import type { ChangesetOperations } from '../../kit/planned/planned-change.tsx';
import { PlannedForm } from '../../kit/planned/planned-form.tsx';
import { RequestError } from '../../lib/request-error.ts';
import { Check, Field, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { CancelLink } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';

interface TagFormProps {
  readonly environment: Pick<DetailedEnvironment, 'id' | 'name'>;
  applied(revision: number): Promise<void>;
}

export function CreateTag({ environment, applied }: TagFormProps) {
  return (
    <PlannedForm
      verb="Create tag"
      busyVerb="Creating …"
      aside={<CancelLink />}
      message={(form) => `Tag ${trimmedField(form, 'name')} of ${environment.name}`}
      operationsOf={async (form) => [
        {
          operation: 'environments_tags_create',
          path: { environment_pk: environment.id },
          body: {
            name: trimmedField(form, 'name'),
            description: trimmedField(form, 'description'),
            timestamp: (await instantIn(form)) ?? null,
            immutable: form.has('immutable'),
          },
        },
      ]}
      onApplied={applied}
    >
      <p className={page.note}>
        A tag names a point in time. Programs can read the configuration of <UserText>{environment.name}</UserText> as
        of that time, whatever has changed since.
      </p>
      <TagFields name="" description="" />
      <WhenField first={NOW_CHOICE} />
      <Immutable isImmutable={false} />
    </PlannedForm>
  );
}

/** Returns the new timestamp of a tag: null for now, undefined for no change. */
async function instantIn(form: FormData): Promise<string | null | undefined> {
  switch (form.get('when')) {
    case 'same':
      return undefined;
    case 'instant': {
      const instant = new Date(trimmedField(form, 'instant'));
      if (Number.isNaN(instant.getTime())) throw new RequestError('no_instant', 'Choose a date and time.', null);
      return instant.toISOString();
    }
    case 'revision': {
      const revision = trimmedField(form, 'revision');
      const instant = await instantOfRevision(Number(revision));
      if (instant === null) throw new RequestError('no_revision', `There is no revision ${revision}.`, null);
      return instant;
    }
    default:
      return null;
  }
}

interface TagActionProps extends TagFormProps {
  readonly tag: ListedTag;
}

export function ChangeTag({ environment, tag, applied }: TagActionProps) {
  // The state keeps the version that the user started to edit.
  const [{ id, ledgerId, name, description, immutable }] = useState(tag);
  return (
    <SaveForm
      message={() => `Tag ${name} of ${environment.name}`}
      operationsOf={async (form) => {
        const timestamp = await instantIn(form);
        const body = {
          ...(trimmedField(form, 'name') !== name && { name: trimmedField(form, 'name') }),
          ...(trimmedField(form, 'description') !== description && {
            description: trimmedField(form, 'description'),
          }),
          ...(timestamp !== undefined && { timestamp }),
          ...(form.has('immutable') !== immutable && { immutable: form.has('immutable') }),
        };
        if (Object.keys(body).length === 0) return [];
        const path = { environment_pk: environment.id, id };
        return [{ operation: 'environments_tags_partial_update', path, body, ifMatch: ledgerId }];
      }}
      onApplied={applied}
    >
      {tag.usage.totalReads > 0 && <UsageNote tag={tag} />}
      <TagFields name={name} description={description} />
      <WhenField first={SAME_CHOICE} />
      <Immutable isImmutable={immutable} />
    </SaveForm>
  );
}

export function DeleteTag({ environment, tag, applied }: TagActionProps) {
  // Expects the version that the user has seen, so that a newer version is never deleted by accident.
  const [{ id, ledgerId, name }] = useState(tag);
  const operations = useMemo<ChangesetOperations>(() => {
    const path = { environment_pk: environment.id, id };
    return [{ operation: 'environments_tags_destroy', path, ifMatch: ledgerId }];
  }, [environment.id, id, ledgerId]);
  return (
    <>
      <UsageNote tag={tag} />
      <DeleteForm
        deletes={{ kind: 'tag', name }}
        called={`Tag ${name} of ${environment.name}`}
        operations={operations}
        onDeleted={applied}
      />
    </>
  );
}

/** Shows how programs use the tag, because a plan only covers the present. */
function UsageNote({ tag: { usage, pushIds } }: { readonly tag: ListedTag }) {
  return (
    <p className={page.note}>
      {usage.totalReads === 0 ? (
        'Not used yet.'
      ) : (
        <>
          Read {usage.totalReads === 1 ? 'once' : `${usage.totalReads.toLocaleString()} times`}
          {usage.lastRead !== null && (
            <>
              , last <When at={usage.lastRead} />
              {usage.lastReadBy !== '' && (
                <>
                  {' by '}
                  <UserText>{usage.lastReadBy}</UserText>
                </>
              )}
            </>
          )}
          . Programs that use it will read different values, or get 404.
        </>
      )}
      {pushIds.length > 0 && ` ${pushIds.length === 1 ? 'A push uses' : `${pushIds.length} pushes use`} it.`}
    </p>
  );
}

function TagFields({ name, description }: { readonly name: string; readonly description: string }) {
  return (
    <>
      <Field name="name" label="Name" hint="Letters, digits and the characters _ . -">
        {(attributes) => (
          <input {...attributes} required maxLength={64} autoComplete="off" spellCheck={false} defaultValue={name} />
        )}
      </Field>
      <Field name="description" label="Description">
        {(attributes) => <input {...attributes} autoComplete="off" defaultValue={description} />}
      </Field>
    </>
  );
}

interface WhenChoice {
  readonly value: 'now' | 'same';
  readonly caption: string;
}
const NOW_CHOICE: WhenChoice = { value: 'now', caption: 'now' };
const SAME_CHOICE: WhenChoice = { value: 'same', caption: 'unchanged' };

function WhenField({ first }: { readonly first: WhenChoice }) {
  const [when, setWhen] = useState<string>(first.value);
  return (
    <>
      <Field name="when" label="Points to">
        {(attributes) => (
          <select {...attributes} value={when} onChange={({ target }) => setWhen(target.value)}>
            <option value={first.value}>{first.caption}</option>
            {first.value === 'same' && <option value="now">now</option>}
            <option value="instant">a date and time</option>
            <option value="revision">a revision</option>
          </select>
        )}
      </Field>
      {when === 'instant' && (
        <Field name="instant" label="Date and time" hint="In this browser’s time zone.">
          {(attributes) => <input {...attributes} type="datetime-local" step={1} required />}
        </Field>
      )}
      {when === 'revision' && (
        <Field name="revision" label="Revision" hint="As shown in the history.">
          {(attributes) => (
            <input {...attributes} inputMode="numeric" pattern="[0-9]{1,15}" required autoComplete="off" />
          )}
        </Field>
      )}
    </>
  );
}

function Immutable({ isImmutable }: { readonly isImmutable: boolean }) {
  return (
    <Check name="immutable" defaultChecked={isImmutable}>
      Immutable: it can’t be changed later, only deleted
    </Check>
  );
}
