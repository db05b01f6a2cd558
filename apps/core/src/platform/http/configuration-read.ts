import { isUuid, type OrganizationId, type UserId } from '@strata/domain';

/** A read of configuration by a service account. Projects and environments are names or ids. */
export interface ConfigurationRead {
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  /** The names of parameters that the request contains; empty if it reads everything. */
  readonly names: readonly string[];
  /** The id of the parameter in the path. */
  readonly parameter: string | null;
}

/** The account that reads. */
export interface Reader {
  readonly id: UserId;
  readonly organizationId: OrganizationId;
  readonly type: 'interactive' | 'service';
}

const OF_PROJECT =
  /^\/api\/v1\/projects\/(?<project>[^/]+)\/(?:(?<all>effective|parameter-export)|parameters(?:\/(?<parameter>[\da-fA-F-]{36}))?|environments\/(?<environment>[^/]+)\/ofrep\/v1\/evaluate\/flags(?:\/(?<flag>[^/]+))?)\/?$/;
const BATCH = /^\/api\/v1\/effective\/?$/;
const DEFAULT_ENVIRONMENT = 'default';

/**
 * Returns the configuration that a request reads, or null if it reads none. Reads of the past are no reads of the
 * configuration that exists now, and a parameter without `environment` is read for its definition.
 */
export function parseConfigurationRead(
  method: string,
  path: string,
  query: Readonly<Record<string, unknown>>,
): ConfigurationRead | null {
  if (query.as_of !== undefined || query.revision !== undefined) return null;
  if (BATCH.test(path) && method === 'GET') {
    const names = namesIn(query);
    return { projects: texts(query.project), environments: texts(query.environment), names, parameter: null };
  }
  const { project, all, parameter, environment, flag } = OF_PROJECT.exec(path)?.groups ?? {};
  if (project === undefined || method !== (environment === undefined ? 'GET' : 'POST')) return null;
  const projects = [decodeURIComponent(project)];
  if (environment !== undefined) {
    const names = flag === undefined ? [] : [decodeURIComponent(flag)];
    return { projects, environments: [decodeURIComponent(environment)], names, parameter: null };
  }
  const [inQuery = all && DEFAULT_ENVIRONMENT] = texts(query.environment);
  if (inQuery === undefined) return null;
  return { projects, environments: [inQuery], names: namesIn(query), parameter: parameter ?? null };
}

function namesIn({ name, name__in: list }: Readonly<Record<string, unknown>>): readonly string[] {
  const listedNames = texts(list).flatMap((text) => text.split(',').map((entry) => entry.trim()));
  return [...texts(name), ...listedNames].filter((text) => text !== '');
}

/** Leaves out texts that PostgreSQL cannot store. The operation may have ignored the parameter, and not checked it. */
function texts(value: unknown): readonly string[] {
  return [value]
    .flat()
    .filter((entry) => typeof entry === 'string' && entry !== '' && !entry.includes('\0')) as string[];
}

/** The most combinations of a project, an environment and a name that one read is remembered for by name. */
const NAMED_MAX = 1_000;

/** One project in one environment that was read, as the statement below expects it. */
export interface NotedRead {
  readonly organization: string;
  readonly account: string;
  readonly projectId: string | null;
  readonly projectName: string;
  readonly environmentId: string | null;
  readonly environmentName: string;
  readonly names: readonly string[];
  readonly parameter: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function listReadsToRecord({ organizationId, id }: Reader, read: ConfigurationRead): readonly NotedRead[] {
  const { projects, environments, names, parameter } = read;
  const isWithinLimit = projects.length * environments.length * names.length <= NAMED_MAX;
  const parseId = (text: string) => (isUuid(text.toLowerCase()) ? text.toLowerCase() : null);
  return projects.flatMap((project) =>
    environments.map((environment) => ({
      organization: organizationId,
      account: id,
      projectId: parseId(project),
      projectName: project,
      environmentId: parseId(environment),
      environmentName: environment,
      names: isWithinLimit ? names : [],
      parameter,
      at: Date.now(),
    })),
  );
}

/**
 * Stores reads to the minute. $1 is a list of `NotedRead` as JSON. Names that the project does not show are not stored,
 * so that requests for arbitrary names take no space.
 */
export const NOTE_READS = `
insert into last_read (organization_id, project_id, environment_id, name, account_id, read_at)
select account.organization_id, project.id, environment.id, read_name.name, account.person_id, max(date_trunc('minute', to_timestamp(read.at / 1000.0)))
  from json_to_recordset($1::json) read(organization uuid, account text, "projectId" uuid, "projectName" text,
         "environmentId" uuid, "environmentName" text, names text[], parameter uuid, at bigint)
  join service_account account on account.organization_id = read.organization and account.person_id = read.account
  join project on project.organization_id = read.organization and (project.id = read."projectId" or project.name = read."projectName")
  join environment on environment.organization_id = read.organization and (environment.id = read."environmentId" or environment.name = read."environmentName")
 cross join lateral (
    with recursive chain (id, above) as (
      select project.id, project.depends_on_id
      union select project.id, project.depends_on_id from chain join project on project.organization_id = read.organization and project.id = chain.above)
    select '' as name
    union select parameter.name from chain join parameter on parameter.organization_id = read.organization and parameter.project_id = chain.id
           where cardinality(read.names) > 0 and parameter.name = any(read.names)
    union select parameter.name from chain join parameter on parameter.organization_id = read.organization and parameter.project_id = chain.id
           where parameter.id = read.parameter) read_name
 group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (organization_id, project_id, environment_id, name, account_id)
    do update set read_at = excluded.read_at where last_read.read_at < excluded.read_at`;

/** Removes the reads that are too old to say anything. */
export const FORGET_READS = `delete from last_read where read_at < now() - interval '90 days'`;
