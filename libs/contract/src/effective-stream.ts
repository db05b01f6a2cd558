import { z } from 'zod';
import { CLOSE_CODES } from './event.ts';
import { booleanParameter, namesParameter, textParameter } from './query.ts';
import { vocabulary } from './vocabulary.ts';

/** The number of missed revisions after which a stream sends a new snapshot instead of one delta per revision. */
export const MISSED_REVISIONS_MAX = 1_000;

const position = {
  cursor: z.string().meta({ description: 'Opaque cursor. Pass it as `after` to continue.' }),
  revision: z.int().meta({ description: 'Revision of the organization.' }),
};

const digest = z.string().meta({
  description:
    '`sha256:` and the hash of the names and values that the stream delivers; equal to `digest` of the effective configuration with the same names and the same masking.',
});

export const EffectiveSourceScope = z
  .object({
    id: z.string().meta({ description: 'The id.' }),
    name: z.string().meta({ description: 'The name.' }),
  })
  .meta({ id: 'EffectiveSourceScope', description: 'The project or environment of a cell.' });

export const EffectiveSource = z
  .object({
    project: EffectiveSourceScope.meta({ description: 'The project that the value belongs to.' }),
    environment: EffectiveSourceScope.meta({ description: 'The environment that the value is set in.' }),
  })
  .meta({ id: 'EffectiveSource', description: 'The cell that sets an effective value.' });
export type EffectiveSource = z.infer<typeof EffectiveSource>;

const ChangeKind = vocabulary(['set', 'changed', 'unset'], {
  name: 'EffectiveChangeKind',
  description: 'How an effective value changed.',
  meaning: (kind) =>
    ({
      set: 'The name had no value before.',
      changed: 'The name has another value.',
      unset: 'The name has no value any more.',
    })[kind],
});

export const EffectiveValueChange = z
  .object({
    name: z.string().meta({ description: 'Name of the parameter.' }),
    kind: ChangeKind.meta({
      description: '`set`: the name had no value before. `unset`: it has no value any more.',
    }),
    value: z.string().nullable().meta({
      description: 'The new text; `*****` for a masked secret; null for an explicit null, and after `unset`.',
    }),
    masked: z.boolean().meta({ description: 'Whether the value is a secret whose text is masked as `*****`.' }),
    source: EffectiveSource.nullable().meta({ description: 'The cell that sets the value; null after `unset`.' }),
    changeset: z.int().meta({ description: 'Revision of the changeset that caused the change.' }),
  })
  .meta({ id: 'EffectiveValueChange', description: 'One effective value that changed in the followed configuration.' });
export type EffectiveValueChange = z.infer<typeof EffectiveValueChange>;

/** The first message, and the first one after each reset: the complete configuration. */
export const EffectiveSnapshot = z
  .object({
    ...position,
    digest,
    values: z.record(z.string(), z.string().nullable()).meta({ description: 'The texts by parameter name.' }),
    masked: z.array(z.string()).meta({ description: 'The names of the secrets whose text is masked as `*****`.' }),
  })
  .meta({ id: 'EffectiveSnapshot', description: 'The complete configuration. Replaces everything received before.' });
export type EffectiveSnapshot = z.infer<typeof EffectiveSnapshot>;

export const EffectiveDelta = z
  .object({ ...position, digest, changes: z.array(EffectiveValueChange) })
  .meta({ id: 'EffectiveDelta', description: 'What one revision changed. Each revision has at most one delta.' });
export type EffectiveDelta = z.infer<typeof EffectiveDelta>;

export const EffectiveProblem = z
  .object({
    ...position,
    names: z.array(z.string()).meta({
      description:
        'The parameters whose texts cannot be evaluated; empty if the configuration as a whole is too large.',
    }),
    detail: z.string().meta({ description: 'The reason.' }),
  })
  .meta({
    id: 'EffectiveProblem',
    description: 'The configuration at this revision cannot be evaluated. Keep the values that you have.',
  });
export type EffectiveProblem = z.infer<typeof EffectiveProblem>;

export const EffectiveBookmark = z.object({ ...position, digest: digest.nullable() }).meta({
  id: 'EffectiveBookmark',
  description:
    'Nothing changed up to this revision. Sent every 10 seconds without another message. `digest` is null after a problem.',
});
export type EffectiveBookmark = z.infer<typeof EffectiveBookmark>;

const RESET_REASONS = {
  history_replaced: 'A backup was restored.',
  too_far_behind: `More than ${MISSED_REVISIONS_MAX} revisions were missed.`,
  other_selection: 'The cursor belongs to other names, another masking or another configuration.',
  permissions_changed: 'The permissions of the caller changed.',
  state_unknown: 'The earlier state cannot be determined.',
} as const;
const ResetReason = vocabulary(Object.keys(RESET_REASONS) as (keyof typeof RESET_REASONS)[], {
  name: 'EffectiveResetReason',
  description: 'Why an effective stream cannot continue from the last message.',
  meaning: (reason) => RESET_REASONS[reason],
});

export const EffectiveReset = z
  .object({
    ...position,
    reason: ResetReason.meta({
      description:
        'Why the stream cannot continue from the last message: a backup was restored, more than 1,000 revisions were missed, the cursor belongs to other names or another configuration, the permissions of the caller changed, or the earlier state cannot be determined.',
    }),
  })
  .meta({ id: 'EffectiveReset', description: 'A snapshot follows. Keep the values that you have until then.' });
export type EffectiveReset = z.infer<typeof EffectiveReset>;

export const EFFECTIVE_CLOSE_CODES = [...CLOSE_CODES, 'forbidden', 'not_found'] as const;
export const EffectiveClose = z
  .object({ code: z.enum(EFFECTIVE_CLOSE_CODES), detail: z.string() })
  .meta({ id: 'EffectiveClose', description: 'The last message of a stream that Strata ends.' });
export type EffectiveClose = z.infer<typeof EffectiveClose>;

/** The messages of a stream by the name of their event. */
export const EFFECTIVE_MESSAGES = {
  snapshot: EffectiveSnapshot,
  delta: EffectiveDelta,
  problem: EffectiveProblem,
  bookmark: EffectiveBookmark,
  reset: EffectiveReset,
  close: EffectiveClose,
} as const;
type MessageKind = keyof typeof EFFECTIVE_MESSAGES;
export type EffectiveMessage = {
  [Kind in MessageKind]: { readonly kind: Kind } & z.infer<(typeof EFFECTIVE_MESSAGES)[Kind]>;
}[MessageKind];

export const EffectiveStreamQuery = z.object({
  environment: textParameter('Name or id of the environment; defaults to `default`.'),
  after: textParameter(
    'Cursor to continue after. The header `Last-Event-ID` takes precedence. Default: start with a snapshot.',
  ),
  name__in: namesParameter,
  reveal: booleanParameter('Deliver secrets in clear. By default, they are `*****`.').default(false),
});
export type EffectiveStreamQuery = z.infer<typeof EffectiveStreamQuery>;
