import { applyChangeset } from '../../data/changesets.ts';
import { RefusedWrite } from '../../lib/refused.ts';
import type { EnvLine } from './env-lines.ts';

export interface EnvProject {
  /** Its name. */
  readonly project: string;
  /** Whether it is made, or there already. */
  readonly isNew: boolean;
  /** Name of the environment that the values are set in. */
  readonly environment: string;
  readonly lines: readonly EnvLine[];
  /** Names of parameters whose texts are sealed. */
  readonly secrets: ReadonlySet<string>;
}

/** All these parameters in a project, in one changeset: there is all of it or nothing. */
export function createFromEnv({ project, isNew, environment, lines, secrets }: EnvProject): Promise<number> {
  const values = lines.map(({ name, text }) => [name, { value: text, secret: secrets.has(name) }] as const);
  return applyChangeset({
    message: `${project} from a .env file`,
    operations: [
      ...(isNew ? [{ operation: 'projects_create', as: 'project', body: { name: project } }] : []),
      {
        set: {
          project: isNew ? { $ref: 'project' } : project,
          environment,
          createMissing: true,
          values: Object.fromEntries(values),
        },
      },
    ],
  });
}

/** Why it was refused, by the name of a parameter or of another member. */
export function refusedNames(error: unknown): ReadonlyMap<string, string> {
  const places = error instanceof RefusedWrite ? error.places : [];
  // Where the project is refused, its parameters are too, and only for that.
  const isFirstRefused = places.some(({ field }) => /^operations\.0\b/.test(field));
  const told = isFirstRefused ? places.filter(({ field }) => !/^operations\.1\b/.test(field)) : places;
  return new Map(told.map(({ field, message }) => [field.replace(/^operations\.\d+\./, ''), message]));
}
