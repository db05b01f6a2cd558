import { linkOptions, type NavigateOptions } from '@tanstack/react-router';
import type { OwnAbility } from '../session/abilities.ts';
import { newEnvironment, type PalettePlace, PLACES, placesOf } from './places.ts';
import { bestOf, type Fitting } from './rank.ts';
import { environmentOf, type FoundParameter } from './search.ts';

/** Something to go to. */
export interface PaletteTarget {
  readonly key: string;
  readonly title: string;
  readonly detail?: string | undefined;
  readonly link: NavigateOptions;
}

export interface PaletteGroup {
  readonly title: string;
  readonly targets: readonly PaletteTarget[];
}

interface Known {
  readonly typed: string;
  /** The project that is open. */
  readonly project: string | undefined;
  readonly abilities: readonly OwnAbility[];
  readonly projects: readonly { readonly id: string; readonly name: string; readonly description: string }[];
  readonly environments: readonly { readonly id: string; readonly name: string; readonly parentName: string | null }[];
  readonly found: readonly FoundParameter[];
}

const SHOWN = 6;

/** What fits what was typed, by kinds; the kind with what fits best comes first, and what has nothing is left out. */
export function groupsOf(known: Known): readonly PaletteGroup[] {
  const { typed } = known;
  const groups = [
    { title: 'Revisions', items: revisionIn(typed), rank: 0 },
    { title: 'Pages', ...pagesOf(known) },
    { title: 'Projects', ...projectsOf(known) },
    { title: 'Environments', ...environmentsOf(known) },
    { title: 'Parameters and values', ...parametersOf(known) },
    { title: 'In projects', ...inProjects(known) },
  ];
  return groups
    .filter(({ items }) => items.length > 0)
    .sort((left, right) => left.rank - right.rank)
    .map(({ title, items }) => ({ title, targets: items }));
}

/** The same, with other items. */
const as = <Kind>({ items, rank }: Fitting<Kind>, targetOf: (item: Kind) => PaletteTarget): Fitting<PaletteTarget> => ({
  items: items.map(targetOf),
  rank,
});

/** `1742`, `r1742`: the revision itself. */
function revisionIn(typed: string): readonly PaletteTarget[] {
  const [, revision] = /^(?:r|revision )?(\d{1,15})$/i.exec(typed) ?? [];
  if (revision === undefined || Number(revision) === 0) return [];
  return [
    {
      key: `revision ${revision}`,
      title: `Revision ${revision}`,
      detail: 'what it changed, and why',
      link: linkOptions({ to: '/history/$revision', params: { revision } }),
    },
  ];
}

function pagesOf(known: Known): Fitting<PaletteTarget> {
  const root = known.environments.find(({ parentName }) => parentName === null);
  return bestPages(known, root ? [...PLACES, newEnvironment(root.name)] : PLACES);
}

/** Once something was typed: they are many. */
function inProjects(known: Known): Fitting<PaletteTarget> {
  if (known.typed === '') return NOTHING;
  const names = known.projects.map(({ name }) => name);
  return bestPages(known, placesOf(names.sort((one, other) => isOpen(known, other) - isOpen(known, one))));
}

const isOpen = ({ project }: Known, name: string): number => Number(name === project);

function bestPages({ typed, abilities }: Known, pages: readonly PalettePlace[]): Fitting<PaletteTarget> {
  const mine = pages.filter(({ needs }) => needs === undefined || abilities.includes(needs));
  const best = bestOf(mine, typed, typed === '' ? mine.length : SHOWN);
  return as(best, ({ title, link }) => ({ key: `page ${title}`, title, link }));
}

function projectsOf({ typed, projects }: Known): Fitting<PaletteTarget> {
  const sought = projects.map((project) => ({ ...project, title: project.name }));
  return as(bestOf(sought, typed, SHOWN), ({ id, name, description }) => ({
    key: `project ${id}`,
    title: name,
    detail: description || undefined,
    link: linkOptions({ to: '/projects/$name', params: { name } }),
  }));
}

const NOTHING: Fitting<PaletteTarget> = { items: [], rank: Number.POSITIVE_INFINITY };

function environmentsOf({ typed, environments }: Known): Fitting<PaletteTarget> {
  if (typed === '') return NOTHING;
  const sought = environments.map((environment) => ({ ...environment, title: environment.name }));
  return as(bestOf(sought, typed, SHOWN), ({ id, name, parentName }) => ({
    key: `environment ${id}`,
    title: name,
    detail: parentName === null ? 'all others inherit from it' : `inherits from ${parentName}`,
    link: linkOptions({ to: '/environments/$environment', params: { environment: name } }),
  }));
}

function parametersOf({ typed, found }: Known): Fitting<PaletteTarget> {
  if (found.length === 0) return NOTHING;
  const targets = found.map((hit) => ({
    key: `parameter ${hit.projectId} ${hit.parameterId}`,
    title: hit.name,
    detail: detailOf(hit),
    link: linkOptions({
      to: '/projects/$name',
      params: { name: hit.projectName },
      search: { cell: hit.name, in: environmentOf(hit) },
    }),
  }));
  const all: PaletteTarget = {
    key: 'all',
    title: `All parameters and values with “${typed}”`,
    link: linkOptions({ to: '/search', search: { q: typed } }),
  };
  return { items: [...targets, all], rank: bestOf(targets, typed, 1).rank };
}

/** Where it is, and the text that was found; never one of a secret. */
function detailOf({ projectName, wins, secret }: FoundParameter): string {
  const win = wins.find(({ matched }) => matched);
  const text = win?.value ?? null;
  if (secret || !win || win.secret || text === null) return projectName;
  return `${projectName} · ${win.environments[0]?.environmentName ?? ''}: ${text.slice(0, 80)}`;
}
