import type { ProjectLink } from '@strata/domain';

/** The number of projects that the first statement reads. The statement also reads all projects that they depend on. */
const FIRST_PROJECTS = 4;
const PROJECTS_MAX = 64;
/** The number of names that the first statement reads. */
const FIRST_NAMES = 64;
const NAMES_MAX = 1_024;
/** The target number of rows per statement. Parsing a result blocks the event loop, so this limits the delay. */
const ROWS_PER_STATEMENT = 4_000;

/** A project, or some of its names. */
export interface ProjectPart {
  readonly project: ProjectLink;
  /** Undefined includes all names. */
  readonly names: readonly string[] | undefined;
  readonly isLast: boolean;
}

/** Divides projects into groups of parts. Each group has about as many rows as one statement should read. */
export class PartQueue {
  private projectsAtOnce = FIRST_PROJECTS;
  private namesAtOnce = FIRST_NAMES;
  private at = 0;
  /** The remaining names of the project at this position; undefined before its first part. */
  private rest: readonly string[] | undefined;

  constructor(
    private readonly projects: readonly ProjectLink[],
    private readonly namesOf: ((project: ProjectLink) => readonly string[]) | undefined,
  ) {}

  /** Returns the parts to read with the next statement. Returns an empty list at the end. */
  next(): readonly ProjectPart[] {
    const parts: ProjectPart[] = [];
    let names = 0;
    while (parts.length < this.projectsAtOnce && names < this.namesAtOnce) {
      const project = this.projects[this.at];
      if (project === undefined) break;
      const part = this.createPart(project, this.namesAtOnce - names);
      names += part.names?.length ?? 0;
      if (part.names?.length !== 0) parts.push(part);
    }
    return parts;
  }

  private createPart(project: ProjectLink, namesMax: number): ProjectPart {
    const restNames = this.rest ?? this.namesOf?.(project);
    const isLast = restNames === undefined || restNames.length <= namesMax;
    this.at += isLast ? 1 : 0;
    this.rest = isLast ? undefined : restNames.slice(namesMax);
    return { project, names: isLast ? restNames : restNames.slice(0, namesMax), isLast };
  }

  /** Adapts the size of the next groups, assuming that they have as many rows per project and name as the last one. */
  adapt(parts: readonly ProjectPart[], rows: number): void {
    const countFitting = (size: number, max: number) =>
      Math.min(max, 4 * size, Math.max(1, Math.floor((size * ROWS_PER_STATEMENT) / Math.max(rows, 1))));
    const names = parts.reduce((sum, part) => sum + (part.names?.length ?? 0), 0);
    // Names of one project limit the group by themselves, so few projects in it say nothing about the next ones.
    this.projectsAtOnce = names > 0 ? PROJECTS_MAX : countFitting(parts.length, PROJECTS_MAX);
    if (names > 0) this.namesAtOnce = countFitting(names, NAMES_MAX);
  }
}
