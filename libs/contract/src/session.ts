import { z } from 'zod';
import { AuthToken } from './auth-token.ts';
import { LIMITS, textField, timeOutput, uuidOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { vocabulary } from './vocabulary.ts';

/** The maximum lifetime of a token that a workload gets. */
export const WORKLOAD_SECONDS = 900;
/** More sessions of one person end the oldest. */
export const SESSIONS_MAX = 100;
/** The lifetime of a sign-in code: the time in which a person copies it to a terminal. */
export const SIGN_IN_CODE_SECONDS = 60;

export const SIGN_IN_METHODS = ['password', 'api_key', 'provider', 'workload'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

const METHODS: Readonly<Record<SignInMethod, string>> = {
  password: 'With an e-mail address and a password.',
  api_key: 'With the API key of a service account.',
  provider: 'With an identity provider.',
  workload: 'With the token of a workload that a trust rule accepts.',
};

const Client = textField({ max: 256, blank: 'allowed' }).meta({
  description: 'The program that signs in, such as the User-Agent of a browser. The list of sessions shows it.',
});

/** Starts a session with a password, a sign-in code, or the API key that authenticates the request. */
export const SessionStart = z
  .object({
    email: textField({ max: LIMITS.email, blank: 'rejected' }).optional().meta({ description: 'E-mail address.' }),
    password: textField({ max: LIMITS.password, blank: 'rejected' }).optional().meta({ description: 'Password.' }),
    organization: textField({ max: LIMITS.userId, blank: 'rejected' })
      .optional()
      .meta({ description: 'Id of the organization to sign in to.' }),
    code: textField({ max: 128, blank: 'rejected' })
      .optional()
      .meta({ description: 'A sign-in code, which also determines the organization and the client.' }),
    code_verifier: textField({ max: 128, blank: 'rejected' })
      .optional()
      .meta({ description: 'The code verifier of the program that requested the sign-in code (RFC 7636).' }),
    client: Client.optional(),
  })
  .meta({ id: 'SessionStart' });
export type SessionStart = z.infer<typeof SessionStart>;

/** Lets a program start a session of the caller, without seeing a password. */
export const SignInCodeCreate = z
  .object({
    code_challenge: textField({ max: 43, blank: 'rejected' })
      .regex(/^[A-Za-z0-9_-]{43}$/, 'Enter the SHA-256 hash of the code verifier in base64url.')
      .meta({
        minLength: 43,
        description: 'The SHA-256 hash of the code verifier of the program, in base64url (RFC 7636, S256).',
      }),
    client: Client.optional(),
  })
  .meta({ id: 'SignInCodeCreate' });
export type SignInCodeCreate = z.infer<typeof SignInCodeCreate>;

export const SignInCode = z
  .object({
    code: z.string().meta({ description: 'The code. It starts one session, with the code verifier.' }),
    expires_in: z.int().meta({ description: 'Lifetime of the code in seconds.' }),
  })
  .meta({ id: 'SignInCode', description: 'A code with which a program starts a session of the caller.' });
export type SignInCode = z.infer<typeof SignInCode>;

/** The end of a session. */
export const SessionEnd = z
  .object({
    provider: z.string().nullable().meta({ description: 'Id of the identity provider that the user signed in with.' }),
    id_token: z.string().nullable().meta({
      description:
        'The id token of the sign-in, with which the provider recognizes its session when the user signs out there.',
    }),
  })
  .meta({ id: 'SessionEnd', description: 'A session that has ended.' });
export type SessionEnd = z.infer<typeof SessionEnd>;

export const Session = z
  .object({
    id: uuidOutput.meta({ description: 'Id of the object.' }),
    method: vocabulary(SIGN_IN_METHODS, {
      name: 'SignInMethod',
      description: 'The ways to sign in.',
      meaning: (method) => METHODS[method],
    }).meta({ description: 'How the user signed in.' }),
    provider: z
      .string()
      .nullable()
      .meta({ description: 'Id of the identity provider, if the user signed in with one.' }),
    client: z.string().meta({ description: 'The program that signed in, as it described itself.' }),
    address: z.string().meta({ description: 'The network address that it signed in from.' }),
    is_current: z.boolean().meta({ description: 'Whether the request uses this session.' }),
    created_at: timeOutput.meta({ description: 'When the user signed in.' }),
    last_used_at: timeOutput.nullable().meta({ description: 'When the session was last used, to the minute.' }),
    expires_at: timeOutput.meta({ description: 'When the session expires.' }),
  })
  .meta({ id: 'Session', description: 'A sign-in of a user that has not ended.' });
export type Session = z.infer<typeof Session>;

export const SessionPage = pageSchema(Session, 'PaginatedSessionList');

export const TOKEN_EXCHANGE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
export const SUBJECT_TOKEN_TYPES = [
  'urn:ietf:params:oauth:token-type:id_token',
  'urn:ietf:params:oauth:token-type:jwt',
] as const;

/** Exchanges a token of another issuer for one of Strata (RFC 8693). */
export const TokenExchange = z
  .object({
    grant_type: z
      .literal(TOKEN_EXCHANGE_GRANT_TYPE, `Send ${TOKEN_EXCHANGE_GRANT_TYPE}.`)
      .meta({ description: `Always ${TOKEN_EXCHANGE_GRANT_TYPE}.` }),
    subject_token: textField({ max: 16_384, blank: 'rejected' }).meta({
      description: 'The id token of an identity provider, or the OIDC token of a workload.',
    }),
    subject_token_type: z
      .enum(SUBJECT_TOKEN_TYPES, `Send one of ${SUBJECT_TOKEN_TYPES.join(', ')}.`)
      .meta({ description: 'The type of the token.' }),
    organization: textField({ max: LIMITS.userId, blank: 'rejected' })
      .optional()
      .meta({ description: 'Id of the organization that the new token is for.' }),
    service_account: textField({ max: LIMITS.userId, blank: 'rejected' })
      .optional()
      .meta({ description: 'Id of the service account, if trust rules of several accounts accept the token.' }),
    client: Client.optional(),
  })
  .meta({ id: 'TokenExchange' });
export type TokenExchange = z.infer<typeof TokenExchange>;

export const ExchangedToken = z
  .object({
    ...AuthToken.shape,
    issued_token_type: z.literal(ACCESS_TOKEN_TYPE).meta({ description: `Always ${ACCESS_TOKEN_TYPE}.` }),
  })
  .meta({ id: 'ExchangedToken', description: 'A token of Strata for the subject of an accepted token.' });
export type ExchangedToken = z.infer<typeof ExchangedToken>;
