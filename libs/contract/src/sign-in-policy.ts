import { z } from 'zod';
import { LIMITS, textField } from './fields.ts';

export const SignInProvider = z
  .object({
    id: z.string().meta({ description: 'Id of the provider.' }),
    name: z.string().meta({ description: 'Name of the provider, as the sign-in page shows it.' }),
    domains: z.array(z.string()).meta({ description: 'The e-mail domains whose users join the organization.' }),
  })
  .meta({
    id: 'SignInProvider',
    description: 'An identity provider that the operator configured for an organization.',
  });
export type SignInProvider = z.infer<typeof SignInProvider>;

export const SignInPolicy = z
  .object({
    sso_only: z.boolean().meta({
      description: 'Whether members must sign in with one of the providers. API keys of service accounts remain valid.',
    }),
    break_glass_owner: z.string().nullable().meta({
      description: 'Id of the OWNER who may still sign in with a password, for the case that the provider fails.',
    }),
    providers: z
      .array(SignInProvider)
      .meta({ description: 'The providers of the organization. The operator sets them.' }),
  })
  .meta({ id: 'SignInPolicy', description: 'How the members of an organization sign in.' });
export type SignInPolicy = z.infer<typeof SignInPolicy>;

export const SignInPolicyUpdate = z
  .object({
    sso_only: z.boolean().meta({ description: 'Whether members must sign in with one of the providers.' }),
    break_glass_owner: textField({ max: LIMITS.userId, blank: 'rejected' }).nullable().optional().meta({
      description:
        'Id of the OWNER who may still sign in with a password, and who must have one. Required if members must sign in with a provider.',
    }),
  })
  .meta({ id: 'SignInPolicyUpdate' });
export type SignInPolicyUpdate = z.infer<typeof SignInPolicyUpdate>;
