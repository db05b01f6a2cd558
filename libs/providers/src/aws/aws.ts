import type {
  CloudProvider,
  KeyLocation,
  KeySpace,
  ProviderEnvironment,
  ProviderSettings,
  ProviderTenant,
  Store,
  StoreLocation,
} from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { testStore } from '../test-store.ts';
import { credentialsProblem, openAwsSession } from './aws-session.ts';
import { type AwsSettings, readAwsSettings } from './aws-settings.ts';
import { openParameterStore } from './parameter-store.ts';
import { openSecretsManager } from './secrets-manager.ts';

const SERVICES = { ssm: openParameterStore, secretsmanager: openSecretsManager } as const;

const isServed = (service: string | null): service is keyof typeof SERVICES =>
  service !== null && Object.hasOwn(SERVICES, service);

/** AWS Secrets Manager and Systems Manager Parameter Store, through a role of the customer's account. */
export const aws: CloudProvider = {
  locationHint: 'Write it as aws://account/role/region/service/name.',
  locate,
  toPath: ({ location: { region, service }, key }) => {
    // A name of the Parameter Store with one slash at its start and no other one keeps it.
    const name = service === 'ssm' && /^\/[^/]+\//.test(key) ? key.slice(1) : key;
    return `${region}/${service}/${name}`;
  },
  findFolder: (settings, path) => {
    const { regions, services } = readAwsSettings(settings);
    const [region = '', service] = path.split('/');
    if (path === '') return { paths: regions };
    if (!regions.includes(region)) return null;
    if (service === undefined) return { paths: services.filter(isServed).map((served) => `${region}/${served}`) };
    if (!isServed(service) || !services.includes(service)) return null;
    const location = { region, service };
    if (path === `${region}/${service}`) return { location, prefix: '' };
    const key = locate(`${path}/${ANY_NAME}`)?.key;
    return key === undefined ? null : { location, prefix: key.slice(0, -ANY_NAME.length) };
  },
  keySpace: (settings, location) =>
    isServed(location.service) ? keySpace(readAwsSettings(settings).account, location) : null,
  isEnabled: (environment) => credentialsProblem(environment.aws) === null,
  check: (settings, environment, location) => problem(readAwsSettings(settings), environment, location),
  test: async (settings, environment, tenant) => {
    const { regions, services } = readAwsSettings(settings);
    const region = regions[0] ?? null;
    const served = services.filter(isServed);
    if (served.length === 0) throw credentialsProblem(environment.aws) ?? noService();
    for (const service of served) await testStore(await open(settings, environment, { region, service }, tenant));
    return {};
  },
  open,
};

/** Stands for the name of any key in a folder. */
const ANY_NAME = 'name';

function locate(path: string): KeyLocation | null {
  const [, region, service, name] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(path) ?? [];
  if (region === undefined || service === undefined || name === undefined) return null;
  // The Parameter Store would read the Secrets Manager, which the integration may not enable.
  if (/^\/?aws\/reference\//i.test(name)) return null;
  // Names in a hierarchy of the Parameter Store begin with a slash.
  const isInHierarchy = service === 'ssm' && name.includes('/') && !name.startsWith('/');
  return { location: { region, service }, key: isInHierarchy ? `/${name}` : name };
}

async function open(
  settings: ProviderSettings,
  environment: ProviderEnvironment,
  location: StoreLocation,
  tenant: ProviderTenant,
): Promise<Store> {
  const awsSettings = readAwsSettings(settings);
  const rejection = problem(awsSettings, environment, location);
  if (rejection !== null) throw rejection;
  const { region, service } = location as { region: string; service: keyof typeof SERVICES };
  const session = await openAwsSession(awsSettings, environment, region, tenant);
  return SERVICES[service](keySpace(awsSettings.account, location), session, awsSettings);
}

function problem(
  { regions, services }: AwsSettings,
  { aws: installation }: ProviderEnvironment,
  { region, service }: StoreLocation,
): ProviderError | null {
  const invalid = (code: string, detail: string) => new ProviderError({ kind: 'invalid', code, detail });
  const missing = credentialsProblem(installation);
  if (missing !== null) return missing;
  if (!isServed(service))
    return invalid('unsupported_service', `Strata does not support the service ${service}. Use ssm or secretsmanager.`);
  if (!services.includes(service))
    return invalid('service_disabled', `The integration does not enable the service ${service}. Add it there.`);
  if (region === null || !regions.includes(region))
    return invalid('region_disabled', `The integration does not enable the region ${region}. Add it there.`);
  return null;
}

const noService = () =>
  new ProviderError({
    kind: 'invalid',
    code: 'unsupported_service',
    detail: 'The integration enables no service that Strata supports. Add ssm or secretsmanager to its services.',
  });

const keySpace = (account: string, { region, service }: StoreLocation): KeySpace => ({
  id: `aws:${account}:${region}:${service}`,
  toKey: (name) => name,
});
