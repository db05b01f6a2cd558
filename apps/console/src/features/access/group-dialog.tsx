import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeGroup, createGroup, groupKeys, groupsQuery, type MemberGroup } from '../../data/groups.ts';
import { fetchUncached, saveChangedFields } from '../../data/merge.ts';
import { Field, trimmedField } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface GroupDialogProps {
  /** The group to change; absent to create one. */
  readonly group?: MemberGroup;
  onClose(): void;
}

type GroupFields = Pick<MemberGroup, 'name' | 'description'>;
const loadedGroup = ({ ledgerId, name, description }: MemberGroup) => ({ ledgerId, fields: { name, description } });
const NOTHING_SEEN = { ledgerId: '', fields: { name: '', description: '' } };

/** Creates a group, or changes its name and description. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const client = useQueryClient();
  const [seenGroup, setSeenGroup] = useState(group ? loadedGroup(group) : NOTHING_SEEN);
  const change = ({ id }: MemberGroup, fields: GroupFields) =>
    saveChangedFields(seenGroup, {
      typed: fields,
      write: (changedFields, expectedLedgerId) => {
        const input = Object.fromEntries(changedFields.map((name) => [name, fields[name]]));
        return changeGroup({ id, input, expectedLedgerId });
      },
      read: async () =>
        (await fetchUncached(client, groupsQuery)).filter((listedGroup) => listedGroup.id === id).map(loadedGroup)[0],
      onSeen: setSeenGroup,
    });
  const submit = async (form: FormData) => {
    const input = { name: trimmedField(form, 'name'), description: trimmedField(form, 'description') };
    await (group ? change(group, input) : createGroup({ ...input, userIds: [] }));
  };
  return (
    <FormDialog
      title={group ? `Rename ${group.name}` : 'Create group'}
      verb={group ? 'Save' : 'Create group'}
      busyVerb={group ? 'Saving …' : 'Creating …'}
      kinds={[groupKeys.all]}
      submit={submit}
      onClose={onClose}
    >
      <Field name="name" label="Name">
        {(attributes) => (
          <input {...attributes} required maxLength={150} autoComplete="off" defaultValue={group?.name} />
        )}
      </Field>
      <Field name="description" label="Description">
        {(attributes) => <input {...attributes} autoComplete="off" defaultValue={group?.description} />}
      </Field>
    </FormDialog>
  );
}
