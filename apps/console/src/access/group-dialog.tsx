import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, typedIn } from '../ui/form.tsx';
import { changedIn, refuseUnseen } from '../ui/merge.ts';
import { changeGroup, createGroup, groupsQuery, type MemberGroup } from './groups.ts';

interface GroupDialogProps {
  /** Absent: a new one. */
  readonly group?: MemberGroup;
  onClose(): void;
}

type GroupFields = Pick<MemberGroup, 'name' | 'description'>;
const fieldsOf = (group: MemberGroup | undefined): GroupFields => ({
  name: group?.name ?? '',
  description: group?.description ?? '',
});

/** Name and description of a group. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const client = useQueryClient();
  const [begun, setBegun] = useState(fieldsOf(group));
  const change = async ({ id }: MemberGroup, typed: GroupFields) => {
    const present = (await client.fetchQuery({ ...groupsQuery, staleTime: 0 })).find((one) => one.id === id);
    if (present) refuseUnseen({ begun, typed, present: fieldsOf(present) }, setBegun);
    await changeGroup(id, Object.fromEntries(changedIn({ begun, typed }).map((name) => [name, typed[name]])));
  };
  const submit = async (given: FormData) => {
    const input = { name: typedIn(given, 'name'), description: typedIn(given, 'description') };
    await (group ? change(group, input) : createGroup({ ...input, userIds: [] }));
    await client.invalidateQueries({ queryKey: ['group'] });
    onClose();
  };
  return (
    <Dialog title={group ? `Rename ${group.name}` : 'New group'} onClose={onClose}>
      <Form verb={group ? 'Save' : 'Make the group'} busyVerb={group ? 'Saving …' : 'Making it …'} submit={submit}>
        <Field name="name" label="Name">
          {(attributes) => (
            <input {...attributes} required maxLength={150} autoComplete="off" defaultValue={group?.name} />
          )}
        </Field>
        <Field name="description" label="Description">
          {(attributes) => <input {...attributes} autoComplete="off" defaultValue={group?.description} />}
        </Field>
      </Form>
    </Dialog>
  );
}
