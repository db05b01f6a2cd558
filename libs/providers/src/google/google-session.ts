import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { secretmanager_v1 } from '@googleapis/secretmanager';
import { decodeText } from '@strata/domain';
import { addressGuard, createGuardedFetch } from '@strata/outbound';
import { z } from 'zod';
import type { GoogleInstallation, ProviderEnvironment } from '../provider.ts';
import { ProviderError, type ProviderErrorKind } from '../provider-error.ts';
import { requestPace } from '../request-pace.ts';
import { classifyGoogleError } from './google-errors.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** Throttled requests are repeated at once with a short pause. Longer ones are up to the next run. */
const ATTEMPTS_MAX = 3;
/** Google allows 600 requests for metadata per minute and project. The rest is for other programs. */
const REQUESTS_AT_ONCE = 100;
const REQUESTS_PER_SECOND = 8;

export type SecretManager = secretmanager_v1.Secretmanager['projects']['secrets'];

export interface GoogleRequest<Output> {
  readonly isWrite?: boolean;
  readonly hasValue?: boolean;
  /** The statuses that mean something else in this request. */
  readonly kinds?: Readonly<Record<string, ProviderErrorKind>>;
  readonly send: (secrets: SecretManager) => Promise<{ readonly data: Output }>;
}

/** A connection to the secrets of one project. */
export interface GoogleSession {
  /** Sends a request, reports it, and classifies its error. */
  send<Output>(operation: string, request: GoogleRequest<Output>): Promise<Output>;
  close(): void;
}

/** The key of a service account, as Google issues it. */
const ServiceAccountKey = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().refine(isPrivateKey),
  private_key_id: z.string().optional(),
});

/** Returns why no request can be authenticated; null if one can. */
export function credentialsProblem({ credentialsFile }: GoogleInstallation): ProviderError | null {
  if (credentialsFile !== null) return null;
  return new ProviderError({
    kind: 'denied',
    code: 'no_credentials',
    detail: 'This installation has no Google credentials. Ask the operator to set STRATA_GOOGLE_CREDENTIALS_FILE.',
  });
}

/**
 * Opens a session of the operator's service account. The client signs its own tokens, so it needs no token endpoint, and
 * all its requests are those to Secret Manager.
 */
export async function openGoogleSession({ google, guard, onCall }: ProviderEnvironment): Promise<GoogleSession> {
  const key = await readKey(google.credentialsFile ?? '');
  const [{ JWT }, { secretmanager }] = await Promise.all([
    import('google-auth-library'),
    import('@googleapis/secretmanager'),
  ]);
  const outbound = createGuardedFetch(addressGuard(guard));
  const auth = new JWT({
    email: key.client_email,
    key: key.private_key,
    ...(key.private_key_id !== undefined && { keyId: key.private_key_id }),
    scopes: [SCOPE],
    transporterOptions: { fetchImplementation: (url, init) => outbound.fetch(String(url), init) },
  });
  auth.useJWTAccessWithScope = true;
  const { secrets } = secretmanager({ version: 'v1', auth, rootUrl: google.secretManagerUrl, retry: false }).projects;
  const pace = requestPace(REQUESTS_AT_ONCE, REQUESTS_PER_SECOND);
  return {
    send: async (operation, { isWrite = false, hasValue = false, kinds, send }) => {
      for (let attempt = 1; ; attempt += 1) {
        await pace();
        onCall({ operation, isWrite });
        try {
          return (await send(secrets)).data;
        } catch (thrown) {
          const error = classifyGoogleError(thrown, { hasValue, kinds });
          if (error.kind !== 'rate' || attempt === ATTEMPTS_MAX) throw error;
          await setTimeout((error.retryAfterSeconds ?? attempt) * 1_000);
        }
      }
    },
    close: () => outbound.destroy(),
  };
}

/** The error never contains the file's content. */
async function readKey(file: string): Promise<z.infer<typeof ServiceAccountKey>> {
  const bytes = await readFile(file).catch(() => null);
  const decoded = bytes === null ? null : decodeText(bytes);
  const parsed = ServiceAccountKey.safeParse(decoded?.problem === undefined ? parseJson(decoded?.text ?? '') : null);
  if (parsed.success) return parsed.data;
  throw new ProviderError({
    kind: 'denied',
    code: 'invalid_credentials',
    detail: `STRATA_GOOGLE_CREDENTIALS_FILE is not a readable key of a service account. Ask the operator to correct it.`,
  });
}

function isPrivateKey(text: string): boolean {
  try {
    createPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
