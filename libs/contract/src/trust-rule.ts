import { z } from 'zod';
import { LIMITS, mapField, textField, timeOutput, uuidOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { PageQuery } from './query.ts';

const Claims = mapField(textField({ max: 256, blank: 'rejected' }), z.string().max(128)).refine(
  (claims) => Object.keys(claims).length <= 8,
  { error: 'Require at most 8 claims.', params: { values: { limit: 8 } } },
);

const described = {
  issuer: {
    description: 'The exact URL of the issuer. The operator lists the permitted ones in STRATA_WORKLOAD_ISSUERS.',
  },
  audience: { description: 'The audience that tokens must have.' },
  subject: {
    description: 'A pattern that the whole subject must match. `*` matches any characters except `/` and `:`.',
  },
  claims: {
    description:
      'Further claims that tokens must have, with their exact texts. Rules for GitHub require `repository_id` or `repository_owner_id`, because names can be given to others.',
  },
};

export const TrustRule = z
  .object({
    id: uuidOutput.meta({ description: 'Id of the object.' }),
    issuer: z.string().meta(described.issuer),
    audience: z.string().meta(described.audience),
    subject: z.string().meta(described.subject),
    claims: z.record(z.string(), z.string()).meta(described.claims),
    created_at: timeOutput.meta({ description: 'When it was created.' }),
    last_used_at: timeOutput.nullable().meta({ description: 'When it last accepted a token.' }),
  })
  .meta({
    id: 'TrustRule',
    description: 'Lets workloads with tokens of an issuer act as a service account for 15 minutes, without an API key.',
  });
export type TrustRule = z.infer<typeof TrustRule>;

export const TrustRulePage = pageSchema(TrustRule, 'PaginatedTrustRuleList');
export const TrustRuleListQuery = PageQuery.pick({ page: true, page_size: true });
export type TrustRuleListQuery = z.infer<typeof TrustRuleListQuery>;

export const TrustRuleCreate = z
  .object({
    issuer: textField({ max: LIMITS.link, blank: 'rejected' }).meta(described.issuer),
    audience: textField({ max: 256, blank: 'rejected' }).meta(described.audience),
    subject: textField({ max: 256, blank: 'rejected' }).meta(described.subject),
    claims: Claims.default({}).meta(described.claims),
  })
  .meta({ id: 'TrustRuleCreate' });
export type TrustRuleCreate = z.infer<typeof TrustRuleCreate>;
