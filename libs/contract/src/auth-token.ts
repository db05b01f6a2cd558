import { z } from 'zod';
import { LIMITS, text } from './fields.ts';

/** Sign in with e-mail and password, or, already signed in, exchange for another organization. */
export const AuthTokenRequest = z
  .object({
    email: text({ max: LIMITS.email, blank: 'refused' }).optional().meta({ description: 'E-mail address.' }),
    password: text({ max: LIMITS.password, blank: 'refused' }).optional().meta({ description: 'Password.' }),
    organization: text({ max: LIMITS.userId, blank: 'refused' })
      .optional()
      .meta({ description: 'Id of the organization that the token shall be for.' }),
  })
  .meta({ id: 'AuthTokenRequest' });
export type AuthTokenRequest = z.infer<typeof AuthTokenRequest>;

export const AuthToken = z
  .object({
    access_token: z.string().meta({ description: 'Send it as `Authorization: Bearer …`.' }),
    token_type: z.literal('Bearer').meta({ description: 'Always Bearer.' }),
    expires_in: z.int().meta({ description: 'For how many seconds it holds.' }),
    organization: z.string().meta({ description: 'Id of the organization it is for.' }),
  })
  .meta({ id: 'AuthToken', description: 'A credential for a while.' });
export type AuthToken = z.infer<typeof AuthToken>;
