import { z } from 'zod';
import { LIMITS, textField } from './fields.ts';

/**
 * The lifetime of a sign-in: one working day. After it the user must enter the password again, even if the token was
 * exchanged meanwhile.
 */
export const SIGN_IN_SECONDS = 12 * 3_600;
/** A token with a shorter lifetime could expire before its first use. */
export const TOKEN_SECONDS_MIN = 60;

/** Signs in with e-mail and password, or exchanges the token of a signed-in user for one of another organization. */
export const AuthTokenRequest = z
  .object({
    email: textField({ max: LIMITS.email, blank: 'rejected' }).optional().meta({ description: 'E-mail address.' }),
    password: textField({ max: LIMITS.password, blank: 'rejected' }).optional().meta({ description: 'Password.' }),
    organization: textField({ max: LIMITS.userId, blank: 'rejected' })
      .optional()
      .meta({ description: 'Id of the organization that the token is for.' }),
    expires_in: z
      .int()
      .min(TOKEN_SECONDS_MIN, `Ensure this value is greater than or equal to ${TOKEN_SECONDS_MIN}.`)
      .max(SIGN_IN_SECONDS, `Ensure this value is less than or equal to ${SIGN_IN_SECONDS}.`)
      .optional()
      .meta({
        description:
          'Lifetime of the token in seconds; default 900. The token expires at most twelve hours after the sign-in with the password.',
      }),
  })
  .meta({ id: 'AuthTokenRequest' });
export type AuthTokenRequest = z.infer<typeof AuthTokenRequest>;

export const AuthToken = z
  .object({
    access_token: z.string().meta({ description: 'Send it as `Authorization: Bearer …`.' }),
    token_type: z.literal('Bearer').meta({ description: 'Always Bearer.' }),
    expires_in: z.int().meta({ description: 'Lifetime of the token in seconds.' }),
    organization: z.string().meta({ description: 'Id of the organization that the token is for.' }),
  })
  .meta({ id: 'AuthToken', description: 'A short-lived access token.' });
export type AuthToken = z.infer<typeof AuthToken>;
