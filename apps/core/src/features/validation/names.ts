import {
  asciiPrototypes,
  asSentence,
  computeSkeleton,
  copyConflict,
  escapeInvisible,
  Failure,
  findLookAlike,
  invisibleCharacterProblem,
  isPlainName,
  type LookAlike,
  nameProblem,
  type OrganizationId,
  type PlannedCopy,
  type ProjectId,
  type RevertibleType,
  type Sentence,
  sentence,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { namesProblem } from '../../platform/patterns/patterns.ts';

/*
 * The contract validates the format of names. This file validates the rest: the pattern of the project or organization,
 * whether the name is taken, and whether people can distinguish it from other names. A database constraint keeps names
 * unique, and this file contains its messages. Similar names are found by a read; this is safe because the writes of an
 * organization run one after another.
 */

/** Rejects names of projects that do not match the organization's pattern (E21). */
export async function assertProjectNames(
  em: EntityManager,
  organizationId: OrganizationId,
  names: readonly string[],
): Promise<void> {
  const [organization] = await em.query<{ pattern: string }[]>(
    'select project_name_pattern as pattern from organization where id = $1',
    [organizationId],
  );
  const pattern = organization?.pattern ?? '';
  await assertMatch(pattern, names, {
    mismatch: sentence`Names of projects must match the organization's pattern ${{ pattern }}.`,
    too_slow: sentence`The organization's pattern ${{ pattern }} takes too long for so many names. Simplify it, or copy in parts.`,
  });
}

/** A project, with the pattern that the names of its parameters must match. */
interface ProjectWithPattern {
  readonly name: string;
  readonly pattern: string;
}

/** Rejects names of parameters that do not match the pattern of their project (E33). */
export function assertParameterNames(
  { name: project, pattern }: ProjectWithPattern,
  names: readonly string[],
): Promise<void> {
  return assertMatch(pattern, names, {
    mismatch: sentence`Names of parameters in ${{ project }} must begin with ${{ pattern }}.`,
    too_slow: sentence`The pattern ${{ pattern }} of ${{ project }} takes too long for so many names. Simplify it, or use fewer names.`,
  });
}

async function assertMatch(
  pattern: string,
  names: readonly string[],
  messages: Readonly<Record<'mismatch' | 'too_slow', Sentence<'pattern' | 'project'>>>,
): Promise<void> {
  const problem = await namesProblem(pattern, names);
  if (problem !== null) throw Failure.field('name_pattern', 'name', messages[problem]);
}

/**
 * Checks the names of copies, which the request contains or which are derived from the sources. Each one must be
 * available and valid. Throws 400 on the field that contains the name.
 */
export function assertCopyNames(
  plan: readonly PlannedCopy[],
  takenNames: Iterable<string>,
  noun: 'environment' | 'project',
): void {
  const chooseField = ({ parentSourceId }: PlannedCopy) => (parentSourceId === null ? 'name' : `child_${noun}_names`);
  const names = new Set(takenNames);
  const clash = copyConflict(plan, names);
  if (clash) throw duplicateNameError(noun, clash.name, chooseField(clash));
  for (const copy of plan) {
    const problem = nameProblem(copy.name);
    if (problem) {
      const text = sentence`${problem} Choose another name for this child.`;
      throw Failure.field(problem.code, chooseField(copy), text);
    }
    assertVisible(copy.name, chooseField(copy));
  }
  const lookAlike = findLookAlike(
    plan.map(({ name }) => name),
    names,
  );
  const copy = plan.find(({ name }) => name === lookAlike?.name);
  if (lookAlike && copy) throw similarNameError(noun, lookAlike, chooseField(copy));
}

/** The scope in which names must be unique. */
interface NameScope {
  readonly noun: Noun;
  readonly organizationId: OrganizationId;
  /** The columns that identify the scope within the organization. */
  readonly columns?: Readonly<Record<string, string>>;
}

/** Returns the scope of parameter names, which are unique within their project. */
export function parameterNameScope({
  organizationId,
  projectId,
}: {
  readonly organizationId: OrganizationId;
  readonly projectId: ProjectId;
}): NameScope {
  return { noun: 'parameter', organizationId, columns: { project_id: projectId } };
}

/**
 * Rejects new names with invisible characters, and new names that look like each other or like another name of the
 * scope. Call it for new names only, so that stored names remain usable. For a rename, call it after the object was
 * updated, so that the new name may look like the old one.
 */
export async function assertNewNames(
  em: EntityManager,
  scope: NameScope,
  names: readonly string[],
  field = 'name',
): Promise<void> {
  for (const name of names) assertVisible(name, field);
  const lookAlike = findLookAlike(names, await similarNames(em, scope, names));
  if (lookAlike) throw similarNameError(scope.noun, lookAlike, field);
}

/**
 * Finds a restored name that looks like a current name. Restored names may look like each other, as they did before.
 */
export async function findLookAlikeOfRestored(
  em: EntityManager,
  scope: NameScope,
  names: readonly string[],
): Promise<LookAlike | null> {
  return findLookAlike(names, await similarNames(em, scope, names), { areNew: false });
}

/** The revertible types whose objects have names. */
export const NAMED_OBJECTS: Readonly<Partial<Record<RevertibleType, Noun>>> = {
  Environment: 'environment',
  Parameter: 'parameter',
  ParameterType: 'type',
  Project: 'project',
  Template: 'template',
};

const TABLES: Readonly<Partial<Record<Noun, string>>> = { group: 'member_group', type: 'parameter_type' };

/** A SQL expression that returns the same as `computeSkeleton` for a name in ASCII. */
const ASCII_SKELETON = asciiPrototypes().reduce(
  (sql, [from, to]) => `replace(${sql}, ${literal(from)}, ${literal(to)})`,
  'name',
);

/**
 * Reads the other names that may look like these: all names with non-ASCII characters (there are few, and they have an
 * index), and the ASCII names with the same skeleton as a non-ASCII one. ASCII names are not compared with each other.
 */
async function similarNames(
  em: EntityManager,
  { noun, organizationId, columns = {} }: NameScope,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const specialNames = names.filter((name) => !isPlainName(name));
  const columnConditions = Object.keys(columns).map((column, index) => ` and ${column} = $${index + 3}`);
  const parameters: unknown[] = [organizationId, names, ...Object.values(columns)];
  if (specialNames.length > 0) parameters.push(specialNames.map(computeSkeleton));
  const plainSql = specialNames.length > 0 ? ` or ${ASCII_SKELETON} = any($${parameters.length}::text[])` : '';
  const existingNames = await em.query<{ name: string }[]>(
    `select name from ${TABLES[noun] ?? noun} where organization_id = $1 and name <> all($2::text[])${columnConditions.join('')}
        and (octet_length(name) <> length(name)${plainSql})`,
    parameters,
  );
  return existingNames.map(({ name }) => name);
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function assertVisible(name: string, field: string): void {
  const problem = invisibleCharacterProblem(name);
  if (problem !== null) throw Failure.field(problem.code, field, problem);
}

const TAKEN_BY = {
  environment: 'There is an environment',
  exchange: 'This integration has one',
  group: 'There is a group',
  parameter: 'This project has a parameter',
  project: 'There is a project',
  tag: 'This environment has a tag',
  template: 'This project has a template',
  type: 'There is a type',
} as const;

type Noun = keyof typeof TAKEN_BY;

/**
 * Returns the error (400) for a name that looks like the name of another object of this kind in the same scope (E35).
 */
export function similarNameError(noun: Noun, { name, lookAlike }: LookAlike, field = 'name'): Failure {
  const names = { name: escapeInvisible(name), other_name: escapeInvisible(lookAlike) };
  const text = sentence`${asSentence(TAKEN_BY[noun])} named ${{ other_name: names.other_name }} already, which looks the same as ${{ name: names.name }}. Choose another name.`;
  return Failure.field('look_alike_name', field, text);
}

/**
 * Returns the error (400) for a name that another object of this kind in the same scope has (E34 and similar codes).
 */
export function duplicateNameError(noun: Noun, name: string, field = 'name'): Failure {
  return Failure.field(
    'duplicate_name',
    field,
    sentence`${asSentence(TAKEN_BY[noun])} named ${{ name }} already. Choose another name.`,
  );
}
