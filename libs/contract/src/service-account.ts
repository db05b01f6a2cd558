import { KEY_SCOPES, parseInstant } from '@strata/domain';
import { z } from 'zod';
import { freeTextField, LIMITS, linkIn, linkOutput, nameField, timeOutput, toList } from './fields.ts';
import { pageSchema } from './page.ts';
import { OpaquePageQuery } from './query.ts';
import { Role } from './role.ts';
import { User } from './user.ts';
import { vocabulary } from './vocabulary.ts';

const keyScope = vocabulary(KEY_SCOPES, {
  name: 'ApiKeyScope',
  description: 'What a key permits, of the rights of its account.',
  meaning: (scope) =>
    ({
      read: 'Read. Every key has it.',
      write: 'Change configuration, accounts and settings. Without it, a key has at most the rights of a VIEWER.',
      reveal: 'Read secrets in clear.',
    })[scope],
}).meta({ id: 'ApiKeyScopeEnum' });

export const ApiKey = z
  .object({
    name: z.string().meta({ description: 'Name of the object.' }),
    prefix: z.string().meta({ description: 'The first characters of the key, which identify it.' }),
    revoked: z.boolean().meta({ description: 'Whether the key was revoked.' }),
    has_expired: z.boolean().meta({ description: 'Whether the key has expired.' }),
    created: timeOutput.meta({ description: 'When it was created.' }),
    expiry_date: timeOutput.nullable().meta({ description: 'When the key expires; null for never.' }),
    scopes: z.array(keyScope).meta({ description: 'What the key permits, of the rights of the account.' }),
    projects: z
      .array(linkOutput)
      .nullable()
      .meta({ description: 'The projects that the key is limited to; null for no limit. Deleted ones are left out.' }),
    environments: z.array(linkOutput).nullable().meta({
      description: 'The environments that the key is limited to; null for no limit. Deleted ones are left out.',
    }),
    last_read_at: timeOutput.nullable().meta({ description: 'When a request last read with it, to the minute.' }),
    last_write_at: timeOutput
      .nullable()
      .meta({ description: 'When a request last used the scope `write`, to the minute.' }),
    last_reveal_at: timeOutput
      .nullable()
      .meta({ description: 'When a request last used the scope `reveal`, to the minute.' }),
  })
  .meta({ id: 'ServiceAccountAPIKey', description: 'A key of a service account, without its secret.' });
export type ApiKey = z.infer<typeof ApiKey>;

const shape = {
  url: linkOutput.meta({ description: 'URL of the object.' }),
  id: z.string().meta({ description: 'Id of the object.' }),
  owner: z.string().nullable().meta({ description: 'The user who is responsible for it.' }),
  user: User.meta({ description: 'The user of the account.' }),
  /** The role of the user. Version 1 requires it in the response to PUT. */
  role: Role.meta({ description: 'The role.' }),
  reveals_secrets: z.boolean().meta({ description: 'Whether responses may show secrets in clear to the account.' }),
  only_projects: z.array(linkOutput).nullable().meta({
    description:
      'The projects that the account is limited to, together with those that they depend on; null for no limit. Deleted projects are left out.',
  }),
  description: z.string().meta({ description: 'Description; may be empty.' }),
  created_at: timeOutput.meta({ description: 'When it was created.' }),
  modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
  last_used_at: timeOutput.nullable().meta({ description: 'When its key was last used.' }),
  keys: z.array(ApiKey).optional().meta({ description: 'The keys of the account.' }),
};

export const ServiceAccount = z
  .object(shape)
  .meta({ id: 'ServiceAccount', description: 'An account for a program, with its own key.' });
export type ServiceAccount = z.infer<typeof ServiceAccount>;

export const ServiceAccountPage = pageSchema(ServiceAccount, 'PaginatedServiceAccountList');

/** The response to creating an account and to creating a new key. */
export const ServiceAccountCreated = z
  .object({ ...shape, apikey: z.string().meta({ description: 'The key. It is shown once; only its hash is stored.' }) })
  .meta({ id: 'ServiceAccountCreateResponse', description: 'A service account with its key.' });
export type ServiceAccountCreated = z.infer<typeof ServiceAccountCreated>;

/** The time at which a key expires. */
const expireAt = z
  .preprocess(
    (input) =>
      typeof input === 'string' && input !== '' ? (parseInstant(input) ?? { unreadable: input }) : input || null,
    z
      .string({ error: 'Enter a valid date and time, such as 2024-05-01T10:00:00Z.' })
      .meta({ format: 'date-time' })
      .nullable(),
  )
  .default(null);

/** Parses a list; an empty text means null, because forms cannot send null. */
const nullableList = (input: unknown) => (input === '' ? null : toList(input));

const limitToLinks = (noun: 'projects' | 'environments') =>
  z
    .preprocess(
      nullableList,
      z
        .array(linkIn)
        .refine((links) => links.length > 0, { error: 'Name at least one. Without a limit, omit this or send null.' })
        .max(LIMITS.projectsPerServiceAccount, { error: `At most ${LIMITS.projectsPerServiceAccount} ${noun}.` })
        .nullable(),
    )
    .optional();

/** The limits of a new key. Clients of before send none of them. */
const keyLimits = {
  key_scopes: z
    .preprocess(
      nullableList,
      z
        .array(keyScope)
        .refine((scopes) => scopes.includes('read'), { error: 'Every key reads. Add "read".' })
        .nullable(),
    )
    .optional()
    .meta({ description: 'What the new key permits, of the rights of the account; null for everything.' }),
  key_projects: limitToLinks('projects').meta({
    description:
      'Limits the new key to the contents of these projects (ids or URLs); null for no limit. It can also read those that they depend on.',
  }),
  key_environments: limitToLinks('environments').meta({
    description: 'Limits the new key to the values in these environments (ids or URLs); null for no limit.',
  }),
};

/** Limits the account to projects. Forms cannot send null, so an empty text means null. */
const onlyProjects = z
  .preprocess(
    nullableList,
    z
      .array(linkIn)
      .min(1, { error: 'Name at least one project. Without a limit, omit this or send null.' })
      .max(LIMITS.projectsPerServiceAccount, {
        error: `At most ${LIMITS.projectsPerServiceAccount} projects. Use a group with grants for more.`,
      })
      .nullable(),
  )
  .optional()
  .meta({
    description:
      'Limits the account to these projects (ids or URLs) and those that they depend on; null for no limit. The contents of other projects return 403. Only for the role VIEWER.',
  });

export const ServiceAccountCreate = z
  .object({
    name: nameField(LIMITS.serviceAccountName).meta({ description: 'Name of the object.' }),
    description: freeTextField().default('').meta({ description: 'Description; may be empty.' }),
    role: z
      .preprocess((input) => input ?? undefined, Role.default('VIEWER'))
      .default('VIEWER')
      .meta({ description: 'The role; defaults to VIEWER.' }),
    owner: freeTextField(LIMITS.owner).optional().meta({ description: 'The user who is responsible for it.' }),
    expire_at: expireAt.meta({ description: 'When the key expires; null for never.' }),
    reveals_secrets: z.boolean().optional().meta({
      description:
        'Whether responses may show secrets in clear to the account. Defaults to the ability of the caller, and only a caller with this ability can give it.',
    }),
    only_projects: onlyProjects,
    ...keyLimits,
  })
  .meta({ id: 'ServiceAccountCreateRequest' });
export type ServiceAccountCreate = z.infer<typeof ServiceAccountCreate>;

/** The body of PUT and PATCH. All members are optional. */
export const ServiceAccountUpdate = z
  .object({
    description: freeTextField().optional().meta({ description: 'Description; may be empty.' }),
    owner: freeTextField(LIMITS.owner).optional().meta({ description: 'The user who is responsible for it.' }),
    reveals_secrets: z.boolean().optional().meta({
      description:
        'Whether responses may show secrets in clear to the account. Only a caller with this ability can give it.',
    }),
    only_projects: onlyProjects,
  })
  .meta({ id: 'ServiceAccountUpdateRequest' });
export type ServiceAccountUpdate = z.infer<typeof ServiceAccountUpdate>;

export const ServiceAccountRekey = z
  .object({
    expire_at: expireAt.meta({ description: 'When the new key expires; null for never.' }),
    overlap_seconds: z
      .int()
      .min(0, 'Ensure this value is greater than or equal to 0.')
      .max(LIMITS.keyOverlapSeconds, `Ensure this value is less than or equal to ${LIMITS.keyOverlapSeconds}.`)
      .default(0)
      .meta({
        description:
          'How long the previous keys remain valid, unless they expire earlier. By default they are revoked at once.',
      }),
    ...keyLimits,
  })
  .meta({ id: 'ServiceAccountRekeyRequest' });
export type ServiceAccountRekey = z.infer<typeof ServiceAccountRekey>;

export const ServiceAccountListQuery = OpaquePageQuery;
export type ServiceAccountListQuery = z.infer<typeof ServiceAccountListQuery>;
