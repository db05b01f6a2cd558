import {
  type Environment,
  OPERATIONS,
  type Page,
  type Parameter,
  type ParameterType,
  type Project,
  type Push,
  type Tag,
  type Template,
} from '@strata/contract';
import type { RawClient, RunningCore, TestOrganization } from '@strata/testkit';

/** Part of every name and text in the forbidden scopes. */
export const MARK = 'hidden7f3a';

export interface ForbiddenContent {
  readonly organization: TestOrganization;
  readonly closed: Project;
  readonly open: Project;
  readonly production: Environment;
  readonly staging: Environment;
  readonly parameter: Parameter;
  readonly dynamic: Parameter;
  readonly tag: Tag;
  readonly mine: Parameter;
  readonly spy: Template;
  /** Ids and words that a caller without access must never receive. */
  readonly hidden: readonly string[];
  /** The ids of a forbidden object and of an accessible one, by collection. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

const listIds = (...objects: readonly { readonly id: string; readonly ledger_id?: string }[]) =>
  objects.flatMap(({ id, ledger_id: ledger }) => [id, ...(ledger ? [ledger] : [])]);

export async function createForbiddenContent(core: RunningCore): Promise<ForbiddenContent> {
  const organization = await core.organization();
  const create = async <T>(path: string, input: object) => {
    const { status, body, text } = await organization.owner.post<T>(path, input);
    if (status !== 201) throw new Error(text);
    return body;
  };
  const [production, staging] = [
    await organization.environmentNamed('production'),
    await organization.environmentNamed('staging'),
  ];
  const [forbiddenProject, open] = [
    await organization.project({ name: 'closed' }),
    await organization.project({ name: 'open' }),
  ];
  const { body: bases } = await organization.owner.get<Page<ParameterType>>('types/?name=string');
  const type = await create<ParameterType>('types/', { name: 'word', parent: bases.results[0]?.url });
  const parameter = await organization.parameter({ project: forbiddenProject, name: `${MARK} plain`, type: type.name });
  const value = await organization.value({ parameter, internal_value: `${MARK} value` });
  const rule = await create<Template>(`${parameter.url}rules/`, { type: 'max_len', constraint: '99' });
  const dynamic = await organization.parameter({ project: forbiddenProject, name: `${MARK} dynamic` });
  const dynamicValue = await organization.value({
    parameter: dynamic,
    internal_value: `${MARK} {{ strata.project }}`,
    interpolated: true,
  });
  const template = await create<Template>(`${forbiddenProject.url}templates/`, {
    name: `${MARK} template`,
    body: `${MARK} body`,
  });
  const tag = await create<Tag>(`${production.url}tags/`, { name: `${MARK}-tag` });
  const ownParameter = await organization.parameter({ project: open, name: 'mine' });
  const inProduction = await organization.value({
    parameter: ownParameter,
    environment: production,
    internal_value: `${MARK} there`,
  });
  await organization.value({ parameter: ownParameter, internal_value: 'shown' });
  // The author wrote the template while the project was accessible to them; the template belongs to the accessible
  // project.
  const spy = await create<Template>(`${open.url}templates/`, {
    name: 'spy',
    body: `{% for p in strata.projects.closed.parameters %}{{ p[1] }}{% endfor %}`,
  });
  const { aws, push } = await createPush(create, open, tag);
  for (const scope of [forbiddenProject, production]) {
    await organization.owner.patch(scope.url, { description: `${MARK} purpose` });
    await organization.owner.patch(scope.url, { access_controlled: true });
  }
  await organization.owner.patch(forbiddenProject.url, { parameter_name_pattern: `${MARK}|.*` });
  return {
    ...{ organization, closed: forbiddenProject, open, production, staging },
    ...{ parameter, dynamic, tag, mine: ownParameter, spy },
    hidden: [MARK, ...listIds(parameter, value, rule, dynamic, dynamicValue, template, tag, inProduction)],
    ids: {
      projects: [forbiddenProject.id, open.id],
      environments: [production.id, staging.id],
      parameters: [parameter.id, ownParameter.id],
      types: [type.id],
      values: [value.id, inProduction.id],
      rules: [rule.id],
      templates: [template.id, spy.id],
      tags: [tag.id],
      aws: [aws.id],
      pushes: [push.id],
      tasks: [push.latest_task?.id ?? ''],
    },
  };
}

async function createPush(create: <T>(path: string, input: object) => Promise<T>, project: Project, tag: Tag) {
  const aws = await create<{ id: string; url: string }>('integrations/aws/', {
    aws_account_id: '000000000042',
    aws_role_name: 'strata',
    aws_enabled_regions: ['eu-central-1'],
    aws_enabled_services: ['ssm'],
  });
  const push = await create<Push>(`${aws.url}pushes/`, {
    name: 'push',
    projects: [project.url],
    tags: [tag.url],
    region: 'eu-central-1',
    service: 'ssm',
    resource: '{{ parameter }}',
  });
  return { aws, push };
}

/** Returns every path that reads, with every combination of the known ids. */
function pathsTo(ids: ForbiddenContent['ids']): readonly string[] {
  const reads = OPERATIONS.filter(
    ({ id, path, method }) => method === 'get' && path.includes('/v1/') && !id.endsWith('_stream'),
  );
  return reads.flatMap(({ path }) =>
    path.split('/').reduce<readonly string[]>(
      (paths, part, at, parts) => {
        const segments = part.startsWith('{') ? (ids[parts[at - 1] ?? ''] ?? []) : [part];
        return paths.flatMap((prefix) => segments.map((segment) => (at === 0 ? segment : `${prefix}/${segment}`)));
      },
      [''],
    ),
  );
}

/** Queries that could reveal hidden content: the past, other scopes, filters and orders by hidden members. */
const QUERIES = (ids: ForbiddenContent['ids'], tag: string) => [
  '',
  `?id__in=${Object.values(ids).flat().join(',')}&ordering=-modified_at`,
  `?as_of=2999-01-01&evaluate=false&values=true&name__icontains=${MARK}&fqn=${MARK}`,
  `?environment=production&tag=${encodeURIComponent(tag)}&difference=default,production`,
  `?t1_as_of=2999-01-01&difference=true&object_id=${ids.parameters?.[0]}&project_id=${ids.projects?.[0]}`,
];

export async function findLeaks(
  client: RawClient,
  { ids, hidden, tag }: Pick<ForbiddenContent, 'ids' | 'hidden'> & { readonly tag: Pick<Tag, 'name'> },
  depth = 5,
): Promise<readonly string[]> {
  const queries = QUERIES(ids, tag.name).slice(0, depth);
  const tries = pathsTo(ids).flatMap((path) => queries.map((query) => path + query));
  const leaks: string[] = [];
  // Responses repeat parts of the request, in links to other pages and in "there is no tag …".
  const withoutEchoes = (text: string) => text.replaceAll(/"(next|previous)":"[^"]*"|There is no tag [^"]*/g, '');
  for (let index = 0; index < tries.length; index += 16) {
    const batch = tries.slice(index, index + 16);
    const responses = await Promise.all(batch.map((path) => client.get(path)));
    for (const [index, { status, text }] of responses.entries()) {
      const path = batch[index] ?? '';
      if (status >= 500) throw new Error(`${path} answered ${status}.`);
      const word = hidden.find((hiddenWord) => withoutEchoes(text).includes(hiddenWord));
      if (word) leaks.push(`${path} ${status} tells ${word}`);
    }
  }
  return leaks;
}
