import { linkOptions, type NavigateOptions } from '@tanstack/react-router';
import { environmentOf, type FoundChangeset, type FoundParameter, resultKey } from '../../data/search.ts';
import type { OrganizationAbility } from '../../data/write-access.ts';
import { findBest, type RankedMatch } from '../../lib/rank.ts';
import { listDestinations, type PaletteCommand, PROJECT_DESTINATIONS } from './palette-destinations.ts';

/** An entry of the palette: a page to open or a command to run. */
export interface PaletteTarget {
  readonly key: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly goal: NavigateOptions | PaletteCommand;
}

export interface PaletteGroup {
  readonly title: string;
  readonly targets: readonly PaletteTarget[];
}

interface PaletteContext {
  readonly typed: string;
  readonly abilities: readonly OrganizationAbility[];
  /** The name of the current project. */
  readonly here: string | undefined;
  readonly projects: readonly { readonly id: string; readonly name: string; readonly description: string }[];
  readonly environments: readonly { readonly id: string; readonly name: string; readonly parentName: string | null }[];
  /** The parameters with a matching name or description. */
  readonly named: readonly FoundParameter[];
  /** The parameters of which only a value matches. */
  readonly valued: readonly FoundParameter[];
  readonly changesets: readonly FoundChangeset[];
}

const SHOWN = 6;
const NOTHING: RankedMatch<PaletteTarget> = { items: [], rank: Number.POSITIVE_INFINITY };

/** Returns the matching entries grouped by kind. The group with the best match comes first, and empty groups are omitted. */
export function listGroups(context: PaletteContext): readonly PaletteGroup[] {
  const { typed } = context;
  const groups = [
    { title: 'Revisions', items: revisionIn(typed), rank: 0 },
    { title: 'Pages', ...findPages(context) },
    { title: 'Projects', ...findProjects(context) },
    { title: 'Environments', ...findEnvironments(context) },
    { title: 'Parameters', ...findParameters(context) },
    { title: 'Values', items: listValues(context), rank: Number.POSITIVE_INFINITY },
    { title: 'In a project', ...findProjectPages(context) },
    { title: 'History', items: listChangesets(context), rank: Number.POSITIVE_INFINITY },
  ];
  return groups
    .filter(({ items }) => items.length > 0)
    .sort((left, right) => left.rank - right.rank)
    .map(({ title, items }) => ({ title, targets: items }));
}

/** Converts the items of a match to entries of the palette. */
const as = <Kind>(
  { items, rank }: RankedMatch<Kind>,
  targetOf: (item: Kind) => PaletteTarget,
): RankedMatch<PaletteTarget> => ({
  items: items.map(targetOf),
  rank,
});

/** Returns the revision that a typed number names, as in `1742` or `r1742`. */
function revisionIn(searchText: string): readonly PaletteTarget[] {
  const [, revision] = /^(?:r|revision )?(\d{1,15})$/i.exec(searchText) ?? [];
  if (revision === undefined || Number(revision) === 0) return [];
  return [
    {
      key: `revision ${revision}`,
      title: `Revision ${revision}`,
      detail: 'changes and reason',
      goal: linkOptions({ to: '/history/$revision', params: { revision } }),
    },
  ];
}

const mayUse = ({ abilities }: PaletteContext, { needs }: { readonly needs?: OrganizationAbility }): boolean =>
  needs === undefined || abilities.includes(needs);

function findPages(context: PaletteContext): RankedMatch<PaletteTarget> {
  const { typed, environments } = context;
  const root = environments.find(({ parentName }) => parentName === null)?.name;
  const ownDestinations = listDestinations(root).filter((destination) => mayUse(context, destination));
  const bestDestinations = findBest(ownDestinations, typed, typed === '' ? ownDestinations.length : SHOWN);
  return as(bestDestinations, ({ title, goal }) => ({ key: `page ${title}`, title, goal }));
}

/**
 * Returns the matching pages of projects, those of the current project first. If the text contains the name of a project, only its pages
 * are returned.
 */
function findProjectPages(context: PaletteContext): RankedMatch<PaletteTarget> {
  const { typed, here, projects } = context;
  if (typed === '') return NOTHING;
  const pages = PROJECT_DESTINATIONS.filter((destination) => mayUse(context, destination));
  const candidates = [...projects]
    .sort((left, right) => Number(right.name === here) - Number(left.name === here))
    .flatMap(({ id, name }) =>
      pages.map((destination) => ({
        ...destination,
        page: destination.title,
        title: `${destination.title} ${name}`,
        id,
        name,
      })),
    );
  return as(findBest(candidates, typed, SHOWN), ({ page, id, name, linkTo }) => ({
    key: `page ${id} ${page}`,
    title: page,
    detail: name,
    goal: linkTo(name),
  }));
}

function findProjects({ typed, projects }: PaletteContext): RankedMatch<PaletteTarget> {
  const candidates = projects.map((project) => ({ ...project, title: project.name }));
  return as(findBest(candidates, typed, SHOWN), ({ id, name, description }) => ({
    key: `project ${id}`,
    title: name,
    detail: description || undefined,
    goal: linkOptions({ to: '/projects/$name', params: { name } }),
  }));
}

function findEnvironments({ typed, environments }: PaletteContext): RankedMatch<PaletteTarget> {
  if (typed === '') return NOTHING;
  const candidates = environments.map((environment) => ({ ...environment, title: environment.name }));
  return as(findBest(candidates, typed, SHOWN), ({ id, name, parentName }) => ({
    key: `environment ${id}`,
    title: name,
    detail: parentName === null ? 'all others inherit from it' : `inherits from ${parentName}`,
    goal: linkOptions({ to: '/environments/$environment', params: { environment: name } }),
  }));
}

const parameterTarget = (hit: FoundParameter): PaletteTarget => ({
  key: `parameter ${resultKey(hit)}`,
  title: hit.name,
  detail: describeParameter(hit),
  goal: linkOptions({
    to: '/projects/$name',
    params: { name: hit.projectName },
    search: { cell: hit.name, in: environmentOf(hit) },
  }),
});

function findParameters({ typed, named, valued }: PaletteContext): RankedMatch<PaletteTarget> {
  if (named.length === 0) return NOTHING;
  const targets = named.map(parameterTarget);
  return {
    items: valued.length > 0 ? targets : [...targets, allResults(typed)],
    rank: findBest(targets, typed, 1).rank,
  };
}

const listValues = ({ typed, valued }: PaletteContext): readonly PaletteTarget[] =>
  valued.length > 0 ? [...valued.map(parameterTarget), allResults(typed)] : [];

const allResults = (searchText: string): PaletteTarget => ({
  key: 'all',
  title: `All parameters and values with “${searchText}”`,
  goal: linkOptions({ to: '/search', search: { q: searchText } }),
});

/** Returns the changesets whose message matches. */
function listChangesets({ typed, changesets }: PaletteContext): readonly PaletteTarget[] {
  if (changesets.length === 0) return [];
  return [
    ...changesets.map(({ revision, message, externalRef, actorName }) => ({
      key: `changeset ${revision}`,
      title: message || externalRef || `Revision ${revision}`,
      detail: `revision ${revision}${actorName === null ? '' : ` by ${actorName}`}`,
      goal: linkOptions({ to: '/history/$revision', params: { revision: String(revision) } }),
    })),
    {
      key: 'all changesets',
      title: `Search history for “${typed}”`,
      goal: linkOptions({ to: '/history', search: { q: typed } }),
    },
  ];
}

/** Describes the location of a result, with the matching text unless it is secret. */
function describeParameter({ projectName, wins }: FoundParameter): string {
  const matchedWin = wins.find(({ matched }) => matched);
  const text = matchedWin?.value ?? null;
  if (!matchedWin || matchedWin.secret || text === null) return projectName;
  return `${projectName} · ${matchedWin.environments[0]?.environmentName ?? ''}: ${text.slice(0, 80)}`;
}
