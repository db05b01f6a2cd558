import { Lock, LockOpen } from 'lucide-react';
import { useAbility, useScopeAbility } from '../../data/abilities.ts';
import type { AllowedAction } from '../planned/allowed-actions.tsx';
import { type AccessScope, SwitchAccess } from './scope-access.tsx';

/** Returns the permissions of the user on a project or an environment. */
export function useScopePermissions(id: string) {
  return {
    read: useScopeAbility(id, 'read'),
    write: useScopeAbility(id, 'write'),
    manage: useScopeAbility(id, 'manage'),
    grant: useScopeAbility(id, 'grant'),
    /** Whether the user may create objects, which a copy of the scope requires. */
    make: useAbility('write_content'),
  };
}

/** Returns the action that turns access control on or off. */
export function accessAction(
  scope: AccessScope,
  may: boolean,
  onApplied: (revision: number) => Promise<void>,
): AllowedAction {
  return {
    does: 'access',
    title: scope.accessControlled ? 'Remove restriction' : 'Restrict access',
    Sign: scope.accessControlled ? LockOpen : Lock,
    isDestructive: scope.accessControlled,
    may,
    form: <SwitchAccess scope={scope} onApplied={onApplied} />,
  };
}
