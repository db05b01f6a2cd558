import { ABILITIES, type Ability, SCOPE_ABILITIES, type ScopeAbility } from '@strata/domain';
import { z } from 'zod';
import { LIMITS, text } from './fields.ts';
import { PASSWORD_LENGTH_MIN } from './invitation.ts';
import { Role } from './role.ts';
import { vocabulary } from './vocabulary.ts';

/** Change one's own password: the one before proves that it is oneself. */
export const PasswordChange = z
  .object({
    old_password: text({ max: LIMITS.password, blank: 'refused' }).meta({ description: 'The password until now.' }),
    new_password: text({ max: LIMITS.password, blank: 'refused' })
      .refine((password) => password.length >= PASSWORD_LENGTH_MIN, {
        error: `Use at least ${PASSWORD_LENGTH_MIN} characters.`,
      })
      .meta({ description: 'The password from now on.' }),
  })
  .meta({ id: 'PasswordChange' });
export type PasswordChange = z.infer<typeof PasswordChange>;

const MEANINGS: Readonly<Record<Ability, string>> = {
  read: 'Reads.',
  write_content: 'Changes environments, projects, parameters, values and templates.',
  create_service_account: 'Makes service accounts and their keys.',
  manage_service_accounts: 'Changes and removes service accounts.',
  manage_groups: 'Manages groups.',
  manage_grants: 'Gives roles on projects and environments.',
  manage_integrations: 'Manages integrations.',
  manage_webhooks: 'Manages webhooks.',
  back_up: 'Takes backups.',
  invite: 'Invites people.',
  change_membership: 'Changes roles of members and removes them.',
  change_organization: 'Changes and deletes the organization.',
  enter_every_scope: 'Has access to every project and environment, controlled ones too.',
};

const SCOPE_MEANINGS: Readonly<Record<ScopeAbility, string>> = {
  read: 'Sees what lies in it.',
  write: 'Changes what lies in it.',
  manage: 'Changes and deletes it.',
  grant: 'Gives others roles on it.',
};

const AbilityWord = vocabulary(ABILITIES, {
  name: 'Ability',
  description: 'A kind of thing that a role lets somebody do.',
  meaning: (ability) => MEANINGS[ability],
});

const ScopeAbilityWord = vocabulary(SCOPE_ABILITIES, {
  name: 'ScopeAbility',
  description: 'What can be done with a project or environment that is under access control.',
  meaning: (ability) => SCOPE_MEANINGS[ability],
});

export const ScopeAbilities = z
  .object({
    scope: z.string().meta({ description: 'Id of the project or environment.' }),
    abilities: z.array(ScopeAbilityWord).meta({ description: 'What the caller may do there; empty for no access.' }),
  })
  .meta({ id: 'ScopeAbilities', description: 'What the caller may do in one project or environment.' });
export type ScopeAbilities = z.infer<typeof ScopeAbilities>;

export const CallerAbilities = z
  .object({
    role: Role.meta({ description: "The caller's role in the organization." }),
    abilities: z.array(AbilityWord).meta({ description: 'What this role may do, where access is not controlled.' }),
    scopes: z
      .array(ScopeAbilities)
      .meta({ description: 'The projects and environments under access control, where grants decide instead.' }),
  })
  .meta({ id: 'CallerAbilities', description: 'What the caller may do.' });
export type CallerAbilities = z.infer<typeof CallerAbilities>;
