import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { addToGroup, groupKeys, groupsQuery, type MemberGroup, removeFromGroup } from '../../data/groups.ts';
import { actorsQuery } from '../../data/history.ts';
import { displayName, fullName } from '../../data/people.ts';
import type { ChangesetOperations } from '../../data/plan.ts';
import { AccessPreview } from '../../kit/planned/access-preview.tsx';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './members-dialog.module.css';

interface MembersDialogProps {
  readonly groupId: string;
  onClose(): void;
}

/** Lists the members of a group. Each addition and removal is stored separately. */
export function MembersDialog({ groupId, onClose }: MembersDialogProps) {
  const { data: groups = [] } = useQuery(groupsQuery);
  const group = groups.find(({ id }) => id === groupId);
  if (!group) {
    return (
      <Dialog title="Members" onClose={onClose}>
        <p>This group was deleted.</p>
      </Dialog>
    );
  }
  return (
    <Dialog title={`Members of ${group.name}`} onClose={onClose}>
      <AddMember key={group.users.length} group={group} />
      {group.users.length === 0 ? <p className={page.note}>No members yet.</p> : <MemberList group={group} />}
    </Dialog>
  );
}

interface GroupProps {
  readonly group: MemberGroup;
}

function AddMember({ group }: GroupProps) {
  const client = useQueryClient();
  const { data: everyone = [] } = useQuery(actorsQuery);
  const members = new Set(group.users.map(({ id }) => id));
  const otherPeople = everyone.filter(({ id }) => !members.has(id));
  const [chosenId, setChosenId] = useState<string | null>(null);
  if (otherPeople.length === 0) return <p className={page.note}>Everyone is in this group.</p>;
  return (
    <Form
      verb="Add"
      busyVerb="Adding …"
      submit={async (form) => {
        await addToGroup(group.id, trimmedField(form, 'user'));
        await client.invalidateQueries({ queryKey: groupKeys.all });
      }}
    >
      <Field name="user" label="Person or service account">
        {(attributes) => (
          <select {...attributes} onChange={(event) => setChosenId(event.target.value)}>
            {otherPeople.map((actor) => (
              <option key={actor.id} value={actor.id}>
                {withVisibleCharacters(fullName(actor))}
              </option>
            ))}
          </select>
        )}
      </Field>
      <AccessPreview operations={planAddition(group, chosenId ?? otherPeople[0]?.id)} />
    </Form>
  );
}

/** Returns the operations of the addition, for its plan. */
const planAddition = ({ id }: MemberGroup, user: string | undefined): ChangesetOperations =>
  user === undefined ? [] : [{ operation: 'groups_add_create', path: { id }, query: { user } }];

function MemberList({ group }: GroupProps) {
  const client = useQueryClient();
  const {
    mutate: remove,
    error,
    isPending,
  } = useMutation({
    mutationFn: (userId: string) => removeFromGroup(group.id, userId),
    onSuccess: () => client.invalidateQueries({ queryKey: groupKeys.all }),
  });
  return (
    <>
      {error !== null && <ActionError error={error} />}
      <ul className={styles.members} aria-label="Members">
        {group.users.map((member) => (
          <li key={member.id}>
            <span>
              <UserText>{displayName(member)}</UserText>
            </span>
            {member.type === 'service' && <span className={page.badge}>service account</span>}
            <button
              type="button"
              className={button.icon}
              disabled={isPending}
              data-destructive
              aria-label={withVisibleCharacters(`Remove ${displayName(member)}`)}
              onClick={() => remove(member.id)}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
