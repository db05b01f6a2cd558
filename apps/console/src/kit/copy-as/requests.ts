import type { ComparisonRequest } from '../../data/compare.ts';
import type { PointInTimeArgs } from '../../lib/point-in-time.ts';

/** A request in one format. It contains no credential: the user sets `$KEY` and `$API` before running it. */
export interface CopiedRequest {
  readonly title: string;
  readonly text: string;
}

/** The visible data, as far as programs can request it. */
export type CopiedView =
  | { readonly kind: 'comparison'; readonly project: NamedProject; readonly question: ComparisonRequest }
  | (AskablePlace & { readonly kind: 'value'; readonly name: string })
  | (AskablePlace & SelectedNames & { readonly kind: 'file'; readonly output: FileFormat })
  | (AskablePlace & SelectedNames & { readonly kind: 'configuration' })
  | (AskablePlace & { readonly kind: 'template'; readonly templateId: string });

interface AskablePlace {
  readonly projectId: string;
  /** The name of the environment. */
  readonly environment: string;
  readonly pointInTime: PointInTimeArgs;
}

interface SelectedNames {
  /** Only the parameters with these names; all if absent. */
  readonly names?: readonly string[] | undefined;
}

/** Returns the requests for the visible data, one per format. */
export function viewRequests(view: CopiedView): readonly CopiedRequest[] {
  if (view.kind === 'comparison') return comparisonRequests(view.project, view.question);
  const { projectId, environment, pointInTime } = view;
  switch (view.kind) {
    case 'value':
      return valueRequests(projectId, environment, view.name, pointInTime);
    case 'file':
      return fileRequests(projectId, environment, view.output, pointInTime, view.names);
    case 'configuration':
      return configurationRequests(projectId, environment, pointInTime, view.names);
    case 'template':
      return templateRequests(projectId, view.templateId, environment, pointInTime);
  }
}

type Query = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

const AUTHORIZATION = '"Authorization: Api-Key $KEY"';

/** Returns a curl command. Its URL is encoded, so that it is safe within double quotes. */
function curl(path: string, query: Query): string {
  const parameters = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(parameters).toString();
  return `curl -fsS -H ${AUTHORIZATION} "$API/${path}${search && `?${search}`}"`;
}

/** Formats arguments for GraphQL, whose strings have the syntax of JSON. */
function args(query: Query): string {
  return Object.entries(query)
    .flatMap(([name, value]) => (value == null ? [] : [`${name}: ${JSON.stringify(value)}`]))
    .join(', ');
}

/** Quotes a string for a shell. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const pointInTimeQuery = ({ asOf, revision }: PointInTimeArgs): Query => ({ as_of: asOf, revision });

interface NamedProject {
  readonly id: string;
  readonly name: string;
}

export function comparisonRequests({ id }: NamedProject, question: ComparisonRequest): readonly CopiedRequest[] {
  const { left, right, leftAsOf, leftRevision, rightAsOf, rightRevision, q } = question;
  const restRequest = curl(`projects/${id}/compare/`, {
    left,
    right,
    left_as_of: leftAsOf,
    left_revision: leftRevision,
    right_as_of: rightAsOf,
    right_revision: rightRevision,
    name__icontains: q,
  });
  const sides = args({ left, right, leftAsOf, leftRevision, rightAsOf, rightRevision, nameIcontains: q });
  return [
    { title: 'curl', text: restRequest },
    {
      title: 'GraphQL',
      text: `query {
  project(id: ${JSON.stringify(id)}) {
    differences(${sides}) {
      totalCount
      edges { node { name cells { left { states text } right { states text } toSet { action text } } } }
    }
  }
}`,
    },
    { title: 'Command line: the names that differ', text: `${restRequest} | jq -r '.results[].name'` },
  ];
}

/** Returns the requests for one parameter in an environment. */
export function valueRequests(
  projectId: string,
  environment: string,
  name: string,
  pointInTime: PointInTimeArgs,
): readonly CopiedRequest[] {
  const restRequest = curl(`projects/${projectId}/effective/`, { environment, ...pointInTimeQuery(pointInTime) });
  return [
    { title: 'curl', text: restRequest },
    {
      title: 'GraphQL',
      text: `query {
  effective(${args({ projectId, environmentId: environment, name, ...pointInTime })}) {
    values { name value }
  }
}`,
    },
    {
      title: 'Command line: the text',
      text: `${restRequest} | jq -r --arg name ${quoteForShell(name)} '.values[$name]'`,
    },
  ];
}

export type FileFormat = 'dotenv' | 'docker' | 'shell';

export function fileRequests(
  projectId: string,
  environment: string,
  output: FileFormat,
  pointInTime: PointInTimeArgs,
  names?: readonly string[],
): readonly CopiedRequest[] {
  const query = { output, environment, name__in: names?.join(), ...pointInTimeQuery(pointInTime) };
  const restRequest = curl(`projects/${projectId}/parameter-export/`, query);
  return [
    { title: 'curl', text: restRequest },
    {
      title: 'GraphQL',
      text: `query {
  project(id: ${JSON.stringify(projectId)}) {
    export(output: ${output}, ${args({ environment, nameIn: names, ...pointInTime })}) { body hasSecret }
  }
}`,
    },
    { title: 'Command line: the file', text: `${restRequest} | jq -r .body` },
  ];
}

export function configurationRequests(
  projectId: string,
  environment: string,
  pointInTime: PointInTimeArgs,
  names?: readonly string[],
): readonly CopiedRequest[] {
  const query = { environment, name__in: names?.join(), ...pointInTimeQuery(pointInTime) };
  const restRequest = curl(`projects/${projectId}/effective/`, query);
  return [
    { title: 'curl', text: restRequest },
    {
      title: 'GraphQL',
      text: `query {
  effective(${args({ projectId, environmentId: environment, nameIn: names, ...pointInTime })}) { digest map }
}`,
    },
    { title: 'Command line: the file', text: `${restRequest} | jq .values` },
  ];
}

export function templateRequests(
  projectId: string,
  templateId: string,
  environment: string,
  pointInTime: PointInTimeArgs,
): readonly CopiedRequest[] {
  const restRequest = curl(`projects/${projectId}/templates/${templateId}/`, {
    environment,
    ...pointInTimeQuery(pointInTime),
  });
  return [
    { title: 'curl', text: restRequest },
    {
      title: 'GraphQL',
      text: `query {
  project(id: ${JSON.stringify(projectId)}) {
    templates(${args({ environment, ...pointInTime })}, evaluate: true, idIn: [${JSON.stringify(templateId)}]) {
      edges { node { name body } }
    }
  }
}`,
    },
    { title: 'Command line: the file', text: `${restRequest} | jq -r .body` },
  ];
}
