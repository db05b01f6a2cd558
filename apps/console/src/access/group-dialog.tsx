import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, typedIn } from '../ui/form.tsx';
import { changeGroup, createGroup, type MemberGroup } from './groups.ts';

interface GroupDialogProps {
  /** Absent: a new one. */
  readonly group?: MemberGroup;
  onClose(): void;
}

/** Name and description of a group. */
export function GroupDialog({ group, onClose }: GroupDialogProps) {
  const client = useQueryClient();
  const submit = async (given: FormData) => {
    const input = { name: typedIn(given, 'name'), description: typedIn(given, 'description') };
    await (group ? changeGroup(group.id, input) : createGroup({ ...input, userIds: [] }));
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
