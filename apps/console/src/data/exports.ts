import { EXPORT_FORMATS, type ExportFormat, exportFile, type OmittedNames } from '@strata/domain';
import { queryOptions } from '@tanstack/react-query';
import { ExportedMap, ExportedTemplate, ExportTemplates } from '../graphql/export.graphql.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import type { PointInTimeArgs } from '../lib/point-in-time.ts';
import { RequestError } from '../lib/request-error.ts';
import { queryKeys } from './query-keys.ts';

/** The export formats. */
export type ExportKind =
  | { readonly kind: 'file'; readonly output: ExportFormat }
  | { readonly kind: 'json' }
  | { readonly kind: 'template'; readonly id: string; readonly name: string };

type ValuesKind = Exclude<ExportKind, { readonly kind: 'template' }>;

export interface ExportScope {
  readonly projectId: string;
  /** The name of the environment. */
  readonly environment: string;
  readonly pointInTime: PointInTimeArgs;
  /** Exports only the parameters with these names; all if absent. Templates contain what they refer to. */
  readonly names?: readonly string[] | undefined;
}

export interface ExportedFile {
  readonly body: string;
  /** The parameters that the file does not contain. */
  readonly omitted: OmittedNames;
}

export interface MaskedExport extends ExportedFile {
  readonly hasSecret: boolean;
  /** The requested names that have no value. */
  readonly missing: readonly string[];
}

const NOTHING_OMITTED: OmittedNames = { invalid: [], colliding: [], unwritable: [] };

export const formatTitle: Readonly<Record<ExportFormat | 'json', string>> = {
  dotenv: 'dotenv (.env)',
  docker: 'docker (--env-file)',
  shell: 'shell (export NAME=…)',
  json: 'JSON',
};

/** Returns the text of an export format in the URL. */
export const formatText = (kind: ExportKind): string =>
  kind.kind === 'file' ? kind.output : kind.kind === 'json' ? 'json' : `template:${kind.name}`;

/** Returns the export format that the URL names; null if its template does not exist. */
export function parseExportFormat(
  text: string | undefined,
  templates: readonly { readonly id: string; readonly name: string }[],
): ExportKind | null {
  if (text === undefined) return { kind: 'file', output: 'dotenv' };
  if (text === 'json') return { kind: 'json' };
  const output = EXPORT_FORMATS.find((format) => format === text);
  if (output) return { kind: 'file', output };
  const template = templates.find(({ name }) => text === `template:${name}`);
  return template ? { kind: 'template', id: template.id, name: template.name } : null;
}

export const exportedTemplateKeys = queryKeys('exported_template', { on: ['template'] }, (all) => ({
  names: (projectId: string, pointInTime: PointInTimeArgs) => [...all, projectId, pointInTime],
}));

export const exportKeys = queryKeys('export', { onAnyChange: true }, (all) => ({
  masked: (scope: ExportScope, kind: ExportKind) => [...all, scope, kind],
}));

export const templatesQuery = (projectId: string, pointInTime: PointInTimeArgs) =>
  queryOptions({
    queryKey: exportedTemplateKeys.names(projectId, pointInTime),
    queryFn: ({ signal }) =>
      readAllPages(async (after) => {
        const { project } = await requestGraphql(ExportTemplates, { projectId, after, ...pointInTime }, signal);
        return project?.templates ?? { edges: [], pageInfo: { hasNextPage: false, endCursor: null } };
      }),
  });

/** Loads the export with masked secrets. */
export const maskedQuery = (scope: ExportScope, kind: ExportKind) =>
  queryOptions({
    queryKey: exportKeys.masked(scope, kind),
    queryFn: ({ signal }) =>
      kind.kind === 'template' ? renderedMasked(scope, kind.id, signal) : listed(scope, kind, signal),
  });

async function listed(scope: ExportScope, kind: ValuesKind, signal: AbortSignal): Promise<MaskedExport> {
  const { map, hasSecret } = await fetchMap(scope, false, signal);
  const missingNames = scope.names?.filter((name) => !Object.hasOwn(map, name)) ?? [];
  return { ...valuesFile(map, kind), hasSecret, missing: missingNames };
}

async function renderedMasked(scope: ExportScope, id: string, signal: AbortSignal): Promise<MaskedExport> {
  const { body, hasSecret } = await fetchTemplate(scope, id, false, signal);
  return { body, hasSecret, omitted: NOTHING_OMITTED, missing: [] };
}

/**
 * Loads the export with secrets in plain text. The core audits the request. The result is not cached. A format can represent the mask of a
 * secret and not the secret, so the omitted names can differ from those of the masked export.
 */
export async function readUnmaskedExport(scope: ExportScope, kind: ExportKind): Promise<ExportedFile> {
  if (kind.kind === 'template')
    return { body: (await fetchTemplate(scope, kind.id, true)).body, omitted: NOTHING_OMITTED };
  return valuesFile((await fetchMap(scope, true)).map, kind);
}

const valuesFile = (map: ExportedValues['map'], kind: ValuesKind): ExportedFile =>
  kind.kind === 'json' ? { body: formatJson(map), omitted: NOTHING_OMITTED } : exportFile(map, kind.output);

interface ExportedValues {
  readonly map: Readonly<Record<string, string | null>>;
  readonly hasSecret: boolean;
}

async function fetchMap(
  { projectId, environment, pointInTime, names }: ExportScope,
  reveal: boolean,
  signal?: AbortSignal,
): Promise<ExportedValues> {
  const read = async (filter: NameFilter) => {
    const variables = { projectId, environment, reveal, ...pointInTime, ...filter };
    return (await requestGraphql(ExportedMap, variables, signal)).effective ?? notThere();
  };
  const parts: ExportedValues[] = [];
  // One after another, because names with a comma are requested alone, so there can be many requests.
  for (const filter of names === undefined ? [{}] : filtersFor(names)) parts.push(await read(filter));
  return {
    map: Object.assign({}, ...parts.map(({ map }) => map)),
    hasSecret: parts.some(({ hasSecret }) => hasSecret),
  };
}

interface NameFilter {
  readonly name?: string;
  readonly nameIn?: readonly string[];
}

/** The limits of one request. Names are part of an address of the core. */
const NAMES_PER_REQUEST = { count: 200, characters: 4_000 } as const;

/** Returns filters that together select the names. The core separates names by commas, so a name with one is requested alone. */
function filtersFor(names: readonly string[]): readonly NameFilter[] {
  const lists: string[][] = [];
  let characters = 0;
  for (const name of names.filter((parameterName) => !parameterName.includes(','))) {
    const list = lists.at(-1);
    characters += encodeURIComponent(name).length + 1;
    if (list && list.length < NAMES_PER_REQUEST.count && characters <= NAMES_PER_REQUEST.characters) list.push(name);
    else {
      lists.push([name]);
      characters = encodeURIComponent(name).length + 1;
    }
  }
  return [
    ...lists.map((nameIn) => ({ nameIn })),
    ...names.filter((parameterName) => parameterName.includes(',')).map((name) => ({ name })),
  ];
}

async function fetchTemplate(
  { projectId, environment, pointInTime }: ExportScope,
  template: string,
  reveal: boolean,
  signal?: AbortSignal,
) {
  const { project } = await requestGraphql(
    ExportedTemplate,
    { projectId, environment, template, reveal, ...pointInTime },
    signal,
  );
  return project?.templates.edges[0]?.node ?? notThere();
}

function notThere(): never {
  throw new RequestError('not_found', 'This was deleted, or you don’t have access to it.', null);
}

const formatJson = (map: Readonly<Record<string, string | null>>): string => `${JSON.stringify(map, null, 2)}\n`;

const ENDINGS: Readonly<Record<ExportFormat, string>> = { dotenv: 'env', docker: 'docker.env', shell: 'sh' };

/** Returns the name of the downloaded file. */
export function fileName(project: string, environment: string, kind: ExportKind): string {
  const base = kind.kind === 'template' ? kind.name : `${project}.${environment}`;
  const name = kind.kind === 'template' ? base : `${base}.${kind.kind === 'json' ? 'json' : ENDINGS[kind.output]}`;
  return name.replace(/[/\\:]/g, '_');
}
