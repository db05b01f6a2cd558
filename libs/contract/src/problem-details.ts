import type { ErrorData } from '@strata/domain';
import { z } from 'zod';
import { VersionFound } from './error-bodies.ts';
import { errorMembers, params } from './error-members.ts';
import { PlanDifference } from './plan.ts';
import { RevertConflict } from './revert-conflict.ts';
import { RuleType } from './rule.ts';

const RejectedEntry = z
  .object({
    index: z.int().meta({ description: 'Index of the operation in the request, from 0.' }),
    status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status that a single request would get; null if the operation was skipped.' }),
    rules: z.array(RuleType).optional().meta({ description: 'The kinds of rules that were violated.' }),
    ...errorMembers,
    present: z.array(VersionFound).optional().meta({ description: 'The current versions of changed objects.' }),
  })
  .meta({ id: 'RejectedOperation', description: 'A rejected operation of a changeset, with the error as data.' });

const RejectedRevert = RevertConflict.extend({ params }).meta({
  id: 'RejectedRevert',
  description: 'An object that cannot be restored without a conflict, with the reason as data.',
});

/** The body of an error for clients that accept `application/problem+json` (RFC 9457). */
export const ProblemDetails = z
  .object({
    title: z.string().meta({ description: 'The meaning of the status.' }),
    status: z.int().meta({ description: 'The HTTP status.' }),
    ...errorMembers,
    operations: z.array(RejectedEntry).optional().meta({ description: 'The rejected operations of a changeset.' }),
    present: z.array(VersionFound).optional().meta({ description: 'The current versions of changed objects.' }),
    conflicts: z.array(RejectedRevert).optional().meta({ description: 'The conflicts of a revert.' }),
    difference: PlanDifference.nullable()
      .optional()
      .meta({ description: 'The differences from the reviewed plan. Only with `plan_outdated`.' }),
    plan: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .meta({ description: 'The current plan, a `ChangesetPlan`. Only with `plan_outdated`.' }),
  })
  .meta({ id: 'ProblemDetails', description: 'An error as data.' }) satisfies z.ZodType<ErrorData>;
export type ProblemDetails = z.infer<typeof ProblemDetails>;
