import { ABILITIES, type Ability, SCOPE_ABILITIES, type ScopeAbility } from '@strata/domain';
import { z } from 'zod';
import { LIMITS, nameField, textField } from './fields.ts';
import { PASSWORD_LENGTH_MIN } from './invitation.ts';
import { Role } from './role.ts';
import { vocabulary } from './vocabulary.ts';

/** The body that changes the password. The current password authenticates the user again. */
export const PasswordChange = z
  .object({
    old_password: textField({ max: LIMITS.password, blank: 'rejected' }).meta({ description: 'The current password.' }),
    new_password: textField({ max: LIMITS.password, blank: 'rejected' })
      .refine((password) => password.length >= PASSWORD_LENGTH_MIN, {
        error: `Use at least ${PASSWORD_LENGTH_MIN} characters.`,
      })
      .meta({ description: 'The new password.' }),
  })
  .meta({ id: 'PasswordChange' });
export type PasswordChange = z.infer<typeof PasswordChange>;

/** The body that changes the caller's own account. */
export const OwnAccountPatch = z
  .object({ name: nameField(LIMITS.serviceAccountName).meta({ description: 'The name that other members see.' }) })
  .meta({ id: 'PatchedOwnAccount' });
export type OwnAccountPatch = z.infer<typeof OwnAccountPatch>;

const LinkedProvider = z
  .object({
    id: z.string().meta({ description: 'Id of the provider.' }),
    name: z.string().meta({ description: 'Name of the provider, as the sign-in page shows it.' }),
  })
  .meta({ id: 'LinkedProvider', description: 'An identity provider whose account is linked to a user.' });

/** The ways in which the caller can sign in. */
export const SignInMethods = z
  .object({
    has_password: z.boolean().meta({ description: 'Whether the caller has a password.' }),
    providers: z
      .array(LinkedProvider)
      .meta({ description: 'The identity providers that the caller has signed in with at least once.' }),
  })
  .meta({ id: 'SignInMethods', description: 'The ways in which the caller can sign in.' });
export type SignInMethods = z.infer<typeof SignInMethods>;

const MEANINGS: Readonly<Record<Ability, string>> = {
  read: 'Reads.',
  write_content: 'Change environments, projects, parameters, values and templates.',
  create_service_account: 'Create service accounts and their keys.',
  manage_service_accounts: 'Change and delete service accounts.',
  manage_groups: 'Manage groups.',
  manage_grants: 'Grant roles on projects and environments.',
  manage_integrations: 'Manage integrations.',
  manage_webhooks: 'Manage webhooks.',
  back_up: 'Take backups.',
  read_audit_stream: 'Read the audit stream.',
  invite: 'Invite people.',
  change_membership: 'Change the roles of members and remove members.',
  change_organization: 'Change and delete the organization.',
  enter_every_scope: 'Access every project and environment, including those with access control.',
};

const SCOPE_MEANINGS: Readonly<Record<ScopeAbility, string>> = {
  read: 'Read its content.',
  write: 'Change its content.',
  manage: 'Change and delete it.',
  grant: 'Grant roles on it.',
};

const AbilityWord = vocabulary(ABILITIES, {
  name: 'Ability',
  description: 'The actions that a role permits.',
  meaning: (ability) => MEANINGS[ability],
});

const ScopeAbilityWord = vocabulary(SCOPE_ABILITIES, {
  name: 'ScopeAbility',
  description: 'The actions on a project or environment with access control.',
  meaning: (ability) => SCOPE_MEANINGS[ability],
});

export const ScopeAbilities = z
  .object({
    scope: z.string().meta({ description: 'Id of the project or environment.' }),
    abilities: z
      .array(ScopeAbilityWord)
      .meta({ description: 'The actions that the caller may perform; empty for no access.' }),
  })
  .meta({ id: 'ScopeAbilities', description: 'The permissions of the caller in one project or environment.' });
export type ScopeAbilities = z.infer<typeof ScopeAbilities>;

export const CallerAbilities = z
  .object({
    role: Role.meta({ description: "The caller's role in the organization." }),
    abilities: z
      .array(AbilityWord)
      .meta({ description: 'The actions that this role permits where access is not controlled.' }),
    reveals_secrets: z.boolean().meta({
      description: 'Whether responses may show secrets in clear. If false, requests that would show one return 403.',
    }),
    scopes: z.array(ScopeAbilities).meta({
      description:
        'The projects and environments with access control, where grants decide instead of the role, and the projects that a service account is not limited to, without abilities.',
    }),
  })
  .meta({ id: 'CallerAbilities', description: 'The permissions of the caller.' });
export type CallerAbilities = z.infer<typeof CallerAbilities>;
