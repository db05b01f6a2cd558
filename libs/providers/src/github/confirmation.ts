import { LruCache } from '@strata/domain';
import { z } from 'zod';
import type { ProviderTenant } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { type GitHubSession, readJson, type TokenPermissions } from './github-session.ts';
import type { GitHubSettings } from './github-settings.ts';

/** The variable of a GitHub organization that names the organization of Strata which may use the installation. */
const CONFIRMATION = 'STRATA_ORGANIZATION';
const READ_VARIABLE: TokenPermissions = { organization_actions_variables: 'read' };
/** An installation that does not name the tenant is not read again for this time, to spare its rate limit. */
const UNCONFIRMED_MS = 60_000;
const CACHE_BYTES = 1_048_576;

/** An installation in an enterprise has no login. */
const InstallationDescription = z.object({
  account: z.object({ login: z.string() }).nullable().catch(null),
  permissions: z.record(z.string(), z.string()).catch({}),
});
const Variable = z.object({ value: z.string() });

/** An installation whose GitHub organization names the tenant. */
export interface ConfirmedInstallation {
  readonly login: string;
  /** The permissions that the owner of the GitHub organization has accepted. */
  readonly granted: Readonly<Record<string, string>>;
}

interface LastResult {
  readonly isConfirmed: boolean;
  readonly at: number;
}

/** The last result of each tenant and installation. A tenant displaces only its own entries. */
const lastResults = new LruCache<LastResult>(
  CACHE_BYTES,
  () => 0,
  (key) => key.split(' ')[0] ?? '',
);
const turns = new Map<string, Promise<unknown>>();

/**
 * Returns the installation if its GitHub organization names the tenant. All permanent errors are alike, so that they do
 * not reveal which installations exist, and whose they are. Until a tenant is confirmed, its requests wait for each other,
 * and an installation is read once a minute.
 */
export function confirmInstallation(
  session: GitHubSession,
  settings: GitHubSettings,
  tenant: ProviderTenant,
): Promise<ConfirmedInstallation> {
  const key = `${tenant.organizationId} ${settings.installationId}`;
  const confirm = () => confirmAt(key, session, settings, tenant);
  return lastResults.get(key)?.isConfirmed ? confirm() : inTurn(key, confirm);
}

async function confirmAt(
  key: string,
  session: GitHubSession,
  { installationId }: GitHubSettings,
  { organizationId }: ProviderTenant,
): Promise<ConfirmedInstallation> {
  const last = lastResults.get(key);
  if (last?.isConfirmed === false && Date.now() - last.at < UNCONFIRMED_MS)
    throw unconfirmed(installationId, organizationId);
  let exists = false;
  try {
    const path = ['app', 'installations', String(installationId)];
    const response = await session.sendAsApp('apps/get-installation', { path });
    const { account, permissions: granted } = await readJson(response, InstallationDescription);
    exists = true;
    const login = account?.login ?? '';
    const variable = await session.send('actions/get-org-variable', {
      path: ['orgs', login, 'actions', 'variables', CONFIRMATION],
      permissions: READ_VARIABLE,
    });
    if ((await readJson(variable, Variable)).value.trim() === organizationId) {
      lastResults.put(key, { isConfirmed: true, at: Date.now() });
      return { login, granted };
    }
  } catch (error) {
    // The rate limit of an installation would reveal that it exists.
    const isHidden = exists && !last?.isConfirmed && error instanceof ProviderError && error.kind === 'rate';
    if (!isHidden && isShown(error)) throw error;
  }
  lastResults.put(key, { isConfirmed: false, at: Date.now() });
  throw unconfirmed(installationId, organizationId);
}

/** Returns whether an error depends only on the operator's settings or on the network. */
const isShown = (error: unknown): boolean =>
  !(error instanceof ProviderError) ||
  error.isTemporary ||
  ['invalid_credentials', 'PRIVATE_ADDRESS'].includes(error.code);

/** Runs work after the earlier work with the same key. */
async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(key) === turn) turns.delete(key);
  }
}

const unconfirmed = (installationId: number, organizationId: string) =>
  new ProviderError({
    kind: 'denied',
    code: 'organization_not_confirmed',
    detail: `The installation ${installationId} does not exist, is suspended, or belongs to no GitHub organization that allows this organization. Set the variable ${CONFIRMATION} of the GitHub organization to ${organizationId}. Strata reads it again after a minute.`,
  });
