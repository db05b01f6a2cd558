import { isLinkLocalHost, isLoopbackHost } from '@strata/domain';
import { z } from 'zod';

/** Returns why a text cannot be the URL of an issuer, or null. */
export function issuerUrlProblem(text: string): string | null {
  const { username, password, search, hash } = URL.parse(text) ?? {};
  if (username || password || search || hash) return 'must be a URL without credentials, query and fragment';
  return secureUrlProblem(text);
}

/**
 * Returns why a text cannot be a URL of metadata or keys, or null. They decide who can sign in, so they must not be
 * modifiable in transit.
 */
export function secureUrlProblem(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'must be an https URL';
  if (isLinkLocalHost(url.hostname)) return 'must not be a link-local address';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return 'must be https, because anyone who can change the response could sign in as any user';
  }
  return null;
}

const IssuerUrl = z.string().check((context) => {
  const message = issuerUrlProblem(context.value);
  if (message !== null) context.issues.push({ code: 'custom', input: undefined, message });
});

const Filled = z.string('must be a text').min(1, 'must not be empty').max(1_024, 'is too long');
const Domain = z
  .string()
  .regex(/^(?=.{1,253}$)([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/, 'must be a domain in lower case, such as example.com');

/** An organization whose members sign in with a provider. */
const ProvidedOrganization = z.strictObject({
  organization: z.uuid('must be the id of an organization'),
  /** The e-mail domains that the provider is trusted for, and whose users join the organization. */
  domains: z.array(Domain).min(1, 'must have at least one domain').max(100, 'must have at most 100 domains'),
  /** The role of a member who joins by signing in. */
  role: z.enum(['VIEWER', 'CONTRIB'], 'must be VIEWER or CONTRIB').default('VIEWER'),
  /** Names of groups at the provider, and the groups of Strata that they correspond to. */
  groups: z.record(Filled, Filled).default({}),
});
export type ProvidedOrganization = z.infer<typeof ProvidedOrganization>;

const IdentityProvider = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be up to 32 lower-case letters, digits and hyphens'),
  name: Filled.max(64, 'must have at most 64 characters'),
  issuer: IssuerUrl,
  client_id: Filled,
  client_secret: Filled.optional(),
  /** The claim of the id token that says whether the provider has verified the address. */
  email_verified_claim: Filled.default('email_verified'),
  scopes: Filled.default('openid email profile'),
  /** The claim of the id token that contains the groups of the user. */
  groups_claim: Filled.default('groups'),
  organizations: z.array(ProvidedOrganization).max(1_000).default([]),
});
export type IdentityProvider = z.infer<typeof IdentityProvider>;

function duplicates(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
}

/** The setting STRATA_IDENTITY_PROVIDERS: a JSON array. */
export const IdentityProviders = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON array' });
      return z.NEVER;
    }
  })
  .pipe(z.array(IdentityProvider, 'must be a JSON array').max(100, 'must have at most 100 providers'))
  .superRefine((providers, context) => {
    const uniqueTexts = [
      ['id', providers.map(({ id }) => id)],
      ['issuer and client_id', providers.map(({ issuer, client_id: client }) => `${issuer} ${client}`)],
      // otherwise an attacker who controls one provider could sign in as a user of another one
      ['domain', providers.flatMap((provider) => provider.organizations.flatMap(({ domains }) => domains))],
    ] as const;
    for (const [noun, texts] of uniqueTexts) {
      for (const text of duplicates(texts))
        context.addIssue({ code: 'custom', message: `has the ${noun} ${text} twice` });
    }
  });

/** Returns the providers that members of an organization sign in with, each with its part for the organization. */
export function filterProviders(
  providers: readonly IdentityProvider[],
  organizationId: string,
): readonly (IdentityProvider & { readonly domains: readonly string[] })[] {
  return providers.flatMap((provider) => {
    const domains = provider.organizations
      .filter(({ organization }) => organization === organizationId)
      .flatMap((part) => part.domains);
    return domains.length === 0 ? [] : [{ ...provider, domains }];
  });
}
