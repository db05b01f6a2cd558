import { ACCESS_CANDIDATE_KINDS, CANDIDATE_REPLACEMENTS, KEY_DENIALS } from '@strata/domain';
import { z } from 'zod';
import { timeOutput, uuidOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { PageQuery, pointInTimeParameters, textParameter } from './query.ts';
import { Role } from './role.ts';
import { UserKind } from './user.ts';
import { vocabulary } from './vocabulary.ts';

const accessCandidateKind = vocabulary(ACCESS_CANDIDATE_KINDS, {
  name: 'AccessCandidateKind',
  description: 'A role or a limit that is checked for the access to a project or an environment.',
  meaning: (kind) =>
    ({
      organization_role: 'The role in the organization.',
      project_limit: 'The limit of a service account to other projects. It denies access.',
      grant: 'A grant to the user.',
      group_grant: 'A grant to a group of the user.',
    })[kind],
}).meta({ id: 'AccessCandidateKindEnum' });

const candidateReplacement = vocabulary(CANDIDATE_REPLACEMENTS, {
  name: 'AccessHiddenBy',
  description: 'The reason why a role or a grant does not decide.',
  meaning: (reason) =>
    ({
      organization_role: 'The role in the organization has access to every project and environment.',
      project_limit: 'The service account is limited to other projects.',
      higher_grant: 'Another grant gives the same role or a higher one.',
      access_control: 'Access is restricted, so only grants count.',
    })[reason],
}).meta({ id: 'AccessHiddenByEnum' });

const keyDenial = vocabulary(KEY_DENIALS, {
  name: 'ApiKeyDenial',
  description: 'What the scopes of an API key deny although its account has the right.',
  meaning: (denial) =>
    ({
      write: 'The key does not have the scope `write`.',
      reveal: 'The key does not have the scope `reveal`.',
      project: 'The key is limited to other projects.',
      environment: 'The key is limited to other environments.',
    })[denial],
}).meta({ id: 'ApiKeyDenialEnum' });

export const ExplainedAccessCandidate = z
  .object({
    kind: accessCandidateKind.meta({ description: 'Whether this is a role, a limit or a grant.' }),
    role: Role.nullable().meta({ description: 'The role that it gives; null for a limit.' }),
    grant_id: uuidOutput.nullable().meta({ description: 'Id of the grant.' }),
    group_id: uuidOutput.nullable().meta({ description: 'Id of the group that has the grant.' }),
    group_name: z.string().nullable().meta({ description: 'Name of the group at that time.' }),
    expires_at: timeOutput
      .nullable()
      .meta({ description: 'When the grant ends or ended; null for a grant without an end.' }),
    wins: z.boolean().meta({ description: 'Whether this one decides.' }),
    hidden_by: candidateReplacement
      .nullable()
      .meta({ description: 'The reason why this one does not decide; null if it does.' }),
  })
  .meta({ id: 'ExplainedAccessCandidate', description: 'A role, a limit or a grant that is checked.' });
export type ExplainedAccessCandidate = z.infer<typeof ExplainedAccessCandidate>;

export const ExplainedScopeAccess = z
  .object({
    read: z.boolean().meta({ description: 'Whether it permits reading.' }),
    write: z.boolean().meta({ description: 'Whether it permits changing values.' }),
    controlled_by_id: uuidOutput.nullable().meta({
      description:
        'The project or environment whose grants count: itself, or the nearest restricted project that it depends on; null if access is not restricted.',
    }),
    controlled_by_name: z.string().nullable().meta({ description: 'Name of that project or environment.' }),
    candidates: z.array(ExplainedAccessCandidate).meta({
      description:
        'In order of precedence. If none decides, there is no access. Empty for users who were no members, and for an environment whose access is not restricted: the project decides.',
    }),
  })
  .meta({ id: 'ExplainedScopeAccess', description: 'The access of a user to a project or an environment.' });
export type ExplainedScopeAccess = z.infer<typeof ExplainedScopeAccess>;

export const AccessExplanation = z
  .object({
    user_id: z.string().meta({ maxLength: 256, description: 'Id of the person or the service account.' }),
    user_name: z.string().meta({ description: 'Name of the person or the service account.' }),
    user_type: UserKind.meta({ description: 'Whether this is a person.' }),
    membership_id: uuidOutput
      .nullable()
      .meta({ description: 'The membership; null if the user was no member of the organization at that time.' }),
    role: Role.nullable().meta({ description: 'The role in the organization at that time.' }),
    read: z.boolean().meta({ description: 'Whether the user could read the effective values.' }),
    write: z.boolean().meta({ description: 'Whether the user could change values.' }),
    reveal: z.boolean().meta({ description: 'Whether the user could read secrets in clear.' }),
    project: ExplainedScopeAccess.meta({ description: 'The access to the project.' }),
    environment: ExplainedScopeAccess.meta({ description: 'The access to the environment.' }),
    denied_by_key: z.array(keyDenial).meta({
      description: 'What the API key in `key` denies although its account has the right; empty without `key`.',
    }),
  })
  .meta({
    id: 'AccessExplanation',
    description: 'The access of a user to the values of a project in an environment, and where it comes from.',
  });
export type AccessExplanation = z.infer<typeof AccessExplanation>;

export const AccessExplanationPage = pageSchema(AccessExplanation, 'PaginatedAccessExplanationList');
export type AccessExplanationPage = z.infer<typeof AccessExplanationPage>;

export const AccessExplanationQuery = PageQuery.omit({ ordering: true, id__in: true }).extend({
  project: textParameter('Name or id of the project. Required.'),
  environment: textParameter('Name or id of the environment. Default: `default`.'),
  who: textParameter(
    'The person or the service account: id, URL, e-mail address or name. Default: everyone who could read or write.',
  ),
  key: textParameter(
    'The first characters of an API key. The response explains the access of its account with this key.',
  ),
  ...pointInTimeParameters,
});
export type AccessExplanationQuery = z.infer<typeof AccessExplanationQuery>;
