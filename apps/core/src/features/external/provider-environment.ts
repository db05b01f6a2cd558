import { Inject, Injectable } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import type { RequestFence } from '@strata/outbound';
import { type ProviderEnvironment, ProviderError, type ProviderTenant } from '@strata/providers';
import type { Env } from '../../platform/env.ts';
import { ENV } from '../../platform/tokens.ts';
import { Vault } from '../../platform/vault/vault.ts';

/** Returns the operator's settings in the form that providers use. */
export function createProviderEnvironment(env: Env): ProviderEnvironment {
  return {
    guard: { allowPrivate: env.STRATA_PRIVATE_DESTINATIONS, setting: 'STRATA_PRIVATE_DESTINATIONS' },
    aws: {
      accessKeyId: env.STRATA_AWS_ACCESS_KEY_ID ?? null,
      secretAccessKey: env.STRATA_AWS_SECRET_ACCESS_KEY ?? null,
      allowsOwnAccount: env.STRATA_AWS_OWN_ACCOUNT,
      usesMachineCredentials: env.STRATA_AWS_MACHINE_CREDENTIALS,
      endpoint: env.STRATA_AWS_ENDPOINT_URL ?? null,
    },
    azure: {
      clientId: env.STRATA_AZURE_CLIENT_ID ?? null,
      clientSecret: env.STRATA_AZURE_CLIENT_SECRET ?? null,
      federatedTokenFile: env.STRATA_AZURE_FEDERATED_TOKEN_FILE ?? null,
      authorityUrl: env.STRATA_AZURE_AUTHORITY_URL,
      vaultUrl: env.STRATA_AZURE_VAULT_URL,
    },
    google: {
      credentialsFile: env.STRATA_GOOGLE_CREDENTIALS_FILE ?? null,
      secretManagerUrl: env.STRATA_GOOGLE_SECRET_MANAGER_URL,
    },
    github: {
      appId: env.STRATA_GITHUB_APP_ID ?? null,
      privateKey: env.STRATA_GITHUB_PRIVATE_KEY ?? null,
      apiUrl: env.STRATA_GITHUB_API_URL,
    },
    onCall: () => undefined,
  };
}

/** Returns an environment that sends at most this many requests, so that a list fits into memory. */
export function limitRequests(environment: ProviderEnvironment, requestsMax: number): ProviderEnvironment {
  let requestCount = 0;
  return {
    ...environment,
    onCall: (call) => {
      requestCount += 1;
      if (requestCount > requestsMax) throw tooManyKeysError('The store has too many keys to list.');
      environment.onCall(call);
    },
  };
}

export const TOO_MANY_KEYS = 'too_many_keys';

export const tooManyKeysError = (problem: string) =>
  new ProviderError({
    kind: 'invalid',
    code: TOO_MANY_KEYS,
    detail: `${problem} Write a longer text before the first placeholder of the resource.`,
  });

/** A provider that needs longer counts as unreachable. */
const WAIT_MS_MAX = 8_000;

/** The providers' view of this installation. */
@Injectable()
export class ProviderSetup {
  readonly environment: ProviderEnvironment;

  constructor(
    @Inject(ENV) env: Env,
    private readonly vault: Vault,
  ) {
    this.environment = createProviderEnvironment(env);
  }

  /** Returns an environment whose requests are sent only while the lease lasts. */
  fencedBy(fence: RequestFence): ProviderEnvironment {
    return { ...this.environment, guard: { ...this.environment.guard, fence } };
  }

  /** Runs requests that a person waits for. Throws a `ProviderError`, and sends no further request, after the time limit. */
  withinTime<Result>(work: (environment: ProviderEnvironment) => Promise<Result>): Promise<Result> {
    const signal = AbortSignal.timeout(WAIT_MS_MAX);
    const environment = this.fencedBy({ isOpen: () => !signal.aborted, signal });
    return Promise.race([work(environment), rejectAt(signal)]);
  }

  /** Returns how providers recognize an organization. The external id never changes, and members cannot choose it. */
  async tenant(organizationId: OrganizationId): Promise<ProviderTenant> {
    return { organizationId, externalId: await this.vault.mac(organizationId, 'provider-external-id', organizationId) };
  }
}

function rejectAt(signal: AbortSignal): Promise<never> {
  const detail = `The provider did not answer within ${WAIT_MS_MAX / 1_000} seconds.`;
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new ProviderError({ kind: 'retryable', code: 'timeout', detail })));
  });
}
