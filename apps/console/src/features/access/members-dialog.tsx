import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { addToGroup, groupKeys, groupsQuery, removeFromGroup } from '../../data/groups.ts';
import { actorsQuery } from '../../data/history.ts';
import { fullNameOf, nameOf } from '../../data/people.ts';
import button from '../../ui/button.module.css';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { Refusal } from '../../ui/refusal.tsx';
import { spelledOut } from '../../ui/spelled-out.ts';
import { UserText } from '../../ui/user-text.tsx';
import styles from './members-dialog.module.css';

interface MembersDialogProps {
  readonly groupId: string;
  onClose(): void;
}

/** Who is in a group; each joins and leaves at once. */
export function MembersDialog({ groupId, onClose }: MembersDialogProps) {
  const client = useQueryClient();
  const { data: groups = [] } = useQuery(groupsQuery);
  const { data: everybody = [] } = useQuery(actorsQuery);
  const [leaving, setLeaving] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const group = groups.find(({ id }) => id === groupId);
  if (!group) {
    return (
      <Dialog title="Members" onClose={onClose}>
        <p>This group was deleted.</p>
      </Dialog>
    );
  }
  const inside = new Set(group.users.map(({ id }) => id));
  const others = everybody.filter(({ id }) => !inside.has(id));
  const readAgain = () => client.invalidateQueries({ queryKey: groupKeys.all });
  const leave = async (user: string) => {
    setLeaving(user);
    try {
      await removeFromGroup(groupId, user);
      setError(null);
      await readAgain();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setLeaving(null);
    }
  };
  return (
    <Dialog title={`Members of ${group.name}`} onClose={onClose}>
      {others.length > 0 ? (
        <Form
          key={group.users.length}
          verb="Add"
          busyVerb="Adding …"
          submit={async (given) => {
            await addToGroup(groupId, trimmedField(given, 'user'));
            await readAgain();
          }}
        >
          <Field name="user" label="Person or service account">
            {(attributes) => (
              <select {...attributes}>
                {others.map((one) => (
                  <option key={one.id} value={one.id}>
                    {spelledOut(fullNameOf(one))}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </Form>
      ) : (
        <p className={page.note}>Everyone is in this group.</p>
      )}
      {error !== null && <Refusal error={error} />}
      {group.users.length === 0 ? (
        <p className={page.note}>No members yet.</p>
      ) : (
        <ul className={styles.members} aria-label="Members">
          {group.users.map((member) => (
            <li key={member.id}>
              <span>
                <UserText>{nameOf(member)}</UserText>
              </span>
              {member.type === 'service' && <span className={page.badge}>service account</span>}
              <button
                type="button"
                className={button.icon}
                disabled={leaving === member.id}
                aria-label={spelledOut(`Remove ${nameOf(member)}`)}
                onClick={() => void leave(member.id)}
              >
                <X size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
