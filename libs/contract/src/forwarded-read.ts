import { z } from 'zod';
import { nameField, timeOutput } from './fields.ts';
import { uuidParameter } from './query.ts';

export const FORWARDED_READ_LIMITS = {
  perRequest: 500,
  /** Names of one read. A read of more names is a read of everything. */
  names: 1_000,
  /** A read that happened longer ago is not recorded. */
  ageDays: 31,
} as const;

export const ConfirmationQuery = z.object({
  project: uuidParameter('Id of the project.').unwrap(),
  environment: uuidParameter('Id of the environment.').unwrap(),
});

export const CredentialConfirmation = z
  .object({
    account_id: z.string().meta({ description: 'Id of the user or service account.' }),
    organization_id: z.string().meta({ description: 'Id of the organization of the credential.' }),
    expires_at: timeOutput.nullable().meta({ description: 'When the credential expires; null if it does not.' }),
    permissions: z.string().meta({
      description: 'A keyed hash of the permissions of the caller. It is new when they change.',
    }),
    receipt: z.string().meta({
      description:
        'Proves to `POST forwarded-reads/` that an edge received the credential of this account for this project and environment.',
    }),
  })
  .meta({
    id: 'CredentialConfirmation',
    description: 'Confirms to an edge that a credential is valid and may read a project in an environment.',
  });
export type CredentialConfirmation = z.infer<typeof CredentialConfirmation>;

export const ForwardedRead = z
  .object({
    receipt: z.string().max(1_024).meta({ description: 'The receipt of the account that read.' }),
    names: z.array(nameField()).max(FORWARDED_READ_LIMITS.names).default([]).meta({
      description: 'The names of the parameters that the request contained; empty if it read all.',
    }),
    revealed: z.boolean().default(false).meta({ description: 'Whether the response showed a secret in clear.' }),
    read_at: z.iso.datetime({ offset: true }).meta({ description: 'When it was read, by the clock of the edge.' }),
  })
  .meta({ id: 'ForwardedRead', description: 'A read that an edge answered.' });

export const ForwardedReads = z
  .object({ reads: z.array(ForwardedRead).max(FORWARDED_READ_LIMITS.perRequest) })
  .meta({ id: 'ForwardedReads' });
export type ForwardedReads = z.infer<typeof ForwardedReads>;

export const ForwardedReadsResult = z
  .object({
    recorded: z.int().meta({ description: 'The number of reads that are recorded now.' }),
    rejected: z.int().meta({
      description: `The number of reads that are not: their receipt is invalid or of another organization, or they are older than ${FORWARDED_READ_LIMITS.ageDays} days.`,
    }),
  })
  .meta({ id: 'ForwardedReadsResult' });
export type ForwardedReadsResult = z.infer<typeof ForwardedReadsResult>;
