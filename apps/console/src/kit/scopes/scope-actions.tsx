import { Lock, LockOpen } from 'lucide-react';
import { useAbility, useScopeAbility } from '../../data/abilities.ts';
import type { AllowedAction } from '../planned/allowed-actions.tsx';
import { type AccessScope, SwitchAccess } from './scope-access.tsx';

/** The actions that the user may run on a project or an environment. */
export function useScopePermissions(id: string) {
  return {
    read: useScopeAbility(id, 'read'),
    write: useScopeAbility(id, 'write'),
    manage: useScopeAbility(id, 'manage'),
    grant: useScopeAbility(id, 'grant'),
    /** Copies the scope. */
    make: useAbility('write_content'),
  };
}

/** Turns access control on or off. */
export function accessAction(
  scope: AccessScope,
  may: boolean,
  applied: (revision: number) => Promise<void>,
): AllowedAction {
  return {
    does: 'access',
    title: scope.accessControlled ? 'Remove restriction' : 'Restrict access',
    Sign: scope.accessControlled ? LockOpen : Lock,
    may,
    form: <SwitchAccess scope={scope} onApplied={applied} />,
  };
}
