import { useState } from 'react';
import { saveChangedFields } from '../../data/merge.ts';
import { type ChosenPermissions, permissionsFromForm } from './permission-fields.tsx';
import { roleText } from './role-field.tsx';

/** A member or an invitation, in the version that the user has seen. */
interface PermissionHolder extends ChosenPermissions {
  readonly ledgerId: string | null;
}

interface Saving {
  /** Stores the changed permissions if the holder still has the seen version. */
  write(input: Partial<ChosenPermissions>, expectedLedgerId: string): Promise<unknown>;
  /** Returns the current holder; null if it was deleted. */
  read(): Promise<PermissionHolder | null | undefined>;
}

/** Returns a function that stores the changed permissions of a submitted form, unless another user has changed the same ones. */
export function useSavePermissions(
  holder: PermissionHolder,
  { write, read }: Saving,
): (form: FormData) => Promise<void> {
  const [seenPermissions, setSeenPermissions] = useState(loaded(holder));
  return async (form) => {
    const { role, revealsSecrets } = permissionsFromForm(form);
    await saveChangedFields(seenPermissions, {
      typed: fieldTexts({ role, revealsSecrets }),
      write: (changedFields, expectedLedgerId) =>
        write(
          {
            ...(changedFields.includes('role') && { role }),
            ...(changedFields.includes('reveals_secrets') && { revealsSecrets }),
          },
          expectedLedgerId,
        ),
      read: async () => {
        const now = await read();
        return now && loaded(now);
      },
      describeError: (name, text) => (name === 'role' ? roleText('role', text) : text),
      onSeen: setSeenPermissions,
    });
  };
}

const fieldTexts = ({ role, revealsSecrets }: ChosenPermissions) => ({
  role: String(role),
  reveals_secrets: revealsSecrets ? 'on' : 'off',
});

const loaded = (holder: PermissionHolder) => ({ ledgerId: holder.ledgerId ?? '', fields: fieldTexts(holder) });
