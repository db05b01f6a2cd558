import { Logger } from '@nestjs/common';
import { createIssuerFetch, type IdentityProvider, type IssuerFetch } from '@strata/issuers';
import * as oidc from 'openid-client';
import { describeProviderError, SignInError } from './sign-in-problem.ts';

/** Metadata of a provider rarely changes. After this time, new endpoints are used without a restart. */
const METADATA_MS = 600_000;

export interface ProvidersOptions {
  readonly providers: readonly IdentityProvider[];
  readonly allowPrivate: boolean;
  /** The origin in all addresses that are sent to a provider. Null if there are no providers. */
  readonly publicUrl: string | null;
}

/** An authorization request, and the secrets that the response is compared with. */
export interface ProviderRequest {
  /** The address of the provider to which the browser is sent. */
  readonly url: URL;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

interface Metadata {
  readonly configuration: Promise<oidc.Configuration>;
  readonly until: number;
}

/**
 * The identity providers that people sign in with, as an OpenID Connect client: authorization code flow with PKCE. The
 * metadata of a provider is fetched when it is needed, so a provider that is down does not affect the others.
 */
export class Providers {
  private readonly metadata = new Map<string, Metadata>();
  private readonly fetch: IssuerFetch;
  private readonly logger = new Logger('SignIn');

  constructor(private readonly options: ProvidersOptions) {
    this.fetch = createIssuerFetch({ allowPrivate: options.allowPrivate });
  }

  /** The providers by the name that users know. */
  get list(): readonly { readonly id: string; readonly name: string }[] {
    return this.options.providers.map(({ id, name }) => ({ id, name }));
  }

  /** Returns the authorization request. Throws a `SignInError` if the provider is unknown or unavailable. */
  async request(id: string): Promise<ProviderRequest> {
    const provider = this.provider(id);
    try {
      const configuration = await this.loadConfiguration(provider);
      const [state, nonce, codeVerifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.callbackUrl(id),
        scope: provider.scopes,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { url, state, nonce, codeVerifier };
    } catch (error) {
      throw this.problem(id, error);
    }
  }

  /**
   * Returns the id token for the response of the provider, whose parameters are in `query`. Throws a `SignInError` if
   * the response does not belong to the request or the provider rejects the code. The core verifies the signature.
   */
  async idToken(id: string, query: string, providerRequest: Omit<ProviderRequest, 'url'>): Promise<string> {
    const provider = this.provider(id);
    try {
      const configuration = await this.loadConfiguration(provider);
      const response = new URL(this.callbackUrl(id));
      response.search = query;
      const { id_token: token } = await oidc.authorizationCodeGrant(configuration, response, {
        expectedState: providerRequest.state,
        expectedNonce: providerRequest.nonce,
        pkceCodeVerifier: providerRequest.codeVerifier,
      });
      if (token === undefined) throw new SignInError('provider_misconfigured');
      return token;
    } catch (error) {
      throw this.problem(id, error);
    }
  }

  /**
   * Returns the address at which the user signs out of the provider, which then sends the browser back to the sign-in
   * page. Returns null if the provider is gone, unavailable or has no such address.
   */
  async logoutUrl(id: string, idToken: string | null): Promise<string | null> {
    const provider = this.options.providers.find((candidate) => candidate.id === id);
    if (!provider) return null;
    try {
      const configuration = await this.loadConfiguration(provider);
      if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
      return oidc.buildEndSessionUrl(configuration, {
        post_logout_redirect_uri: `${this.options.publicUrl}/sign-in`,
        ...(idToken !== null && { id_token_hint: idToken }),
      }).href;
    } catch (error) {
      this.problem(id, error);
      return null;
    }
  }

  private provider(id: string): IdentityProvider {
    const provider = this.options.providers.find((candidate) => candidate.id === id);
    if (!provider) throw new SignInError('provider_unknown');
    return provider;
  }

  /** Logs the error for the operator. A sign-in that the user canceled is none. */
  private problem(id: string, error: unknown): SignInError {
    if (error instanceof SignInError) return error;
    if (!(error instanceof Error)) throw error;
    const { problem, codes } = describeProviderError(error);
    if (problem.code !== 'provider_denied')
      this.logger.warn(`Identity provider ${id}: ${problem.code} (${codes.join(', ')})`);
    return problem;
  }

  private callbackUrl(id: string): string {
    return `${this.options.publicUrl}/session/provider/${id}/callback`;
  }

  /** Concurrent requests share one fetch. A failure is not cached. */
  private loadConfiguration(provider: IdentityProvider): Promise<oidc.Configuration> {
    const cachedMetadata = this.metadata.get(provider.id);
    if (cachedMetadata && cachedMetadata.until > Date.now()) return cachedMetadata.configuration;
    const configuration = this.discover(provider);
    this.metadata.set(provider.id, { configuration, until: Date.now() + METADATA_MS });
    configuration.catch(() => {
      if (this.metadata.get(provider.id)?.configuration === configuration) this.metadata.delete(provider.id);
    });
    return configuration;
  }

  private discover({
    issuer,
    client_id: client,
    client_secret: secret,
  }: IdentityProvider): Promise<oidc.Configuration> {
    const server = new URL(issuer);
    return oidc.discovery(server, client, undefined, secret === undefined ? oidc.None() : authenticate(secret), {
      [oidc.customFetch]: (url, init) => this.fetch(url, init as RequestInit),
      // the settings allow plain http only for providers on the same machine
      execute: server.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    });
  }
}

/** Sends the secret as a header, which is the default, unless the provider supports it only in the body. */
function authenticate(secret: string): oidc.ClientAuth {
  const [basicAuthentication, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? [];
    const inBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    return (inBody ? post : basicAuthentication)(server, ...request);
  };
}
