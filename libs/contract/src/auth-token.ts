import { z } from 'zod';
import { LIMITS, text } from './fields.ts';

/** A working day: after it the password is asked for again, however often the token was exchanged. */
export const SIGN_IN_SECONDS = 12 * 3_600;
/** A token that lives shorter would be over before it is used. */
export const TOKEN_SECONDS_MIN = 60;

/** Sign in with e-mail and password, or, already signed in, exchange for another organization. */
export const AuthTokenRequest = z
  .object({
    email: text({ max: LIMITS.email, blank: 'refused' }).optional().meta({ description: 'E-mail address.' }),
    password: text({ max: LIMITS.password, blank: 'refused' }).optional().meta({ description: 'Password.' }),
    organization: text({ max: LIMITS.userId, blank: 'refused' })
      .optional()
      .meta({ description: 'Id of the organization that the token shall be for.' }),
    expires_in: z
      .int()
      .min(TOKEN_SECONDS_MIN, `Ensure this value is greater than or equal to ${TOKEN_SECONDS_MIN}.`)
      .max(SIGN_IN_SECONDS, `Ensure this value is less than or equal to ${SIGN_IN_SECONDS}.`)
      .optional()
      .meta({
        description:
          'For how many seconds the token shall hold; 900 unless told. Never longer than twelve hours after the password was given.',
      }),
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
