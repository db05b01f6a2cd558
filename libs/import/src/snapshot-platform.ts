import { parseSnapshotFile, type SnapshotFile } from '@strata/contract';
import { BASE_TYPES, RULE_KINDS, type RuleKind } from '@strata/domain';
import {
  type Platform,
  type PlatformParameter,
  type PlatformProject,
  type PlatformRules,
  type PlatformValue,
  parentsFirst,
  type SkippedObject,
} from './platform.ts';

type SnapshotProject = SnapshotFile['projects'][string];
type SnapshotParameter = NonNullable<SnapshotProject['parameters']>[string];
type SnapshotValue = NonNullable<NonNullable<SnapshotParameter['values']>[string]>;

const ROOT = 'default';

export type SnapshotReading =
  | { readonly platform: Platform; readonly problem?: undefined }
  | { readonly problem: string; readonly platform?: undefined };

/** Reads the text of a snapshot. `problem` says what is wrong with the file; it contains no value. */
export function readSnapshot(text: string): SnapshotReading {
  const { snapshot, problem } = parseSnapshotFile(text);
  return snapshot === undefined ? { problem } : { platform: buildPlatform(snapshot) };
}

/** Describes the contents of a snapshot by names, without what cannot be imported. */
function buildPlatform(snapshot: SnapshotFile): Platform {
  const skippedObjects: SkippedObject[] = [];
  const ownTypes = listRows(snapshot.types).filter(({ name }) => !isOneOf(BASE_TYPES, name));
  const typeNames = new Set(ownTypes.map(({ name }) => name));
  // A snapshot of another service can write the built-in types differently.
  const resolveType = (name: string) =>
    typeNames.has(name) ? name : (BASE_TYPES.find((base) => base === name.toLowerCase()) ?? name);
  const environments = listRows(snapshot.environments).map(({ name, parent, description }) => ({
    name,
    parent: name === ROOT ? null : (parent ?? ROOT),
    description: description ?? '',
  }));
  const types = ownTypes.map(({ name, parent, description, rules }) => ({
    name,
    parent: resolveType(parent),
    description: description ?? '',
    rules: convertRules(rules, (reason) => skippedObjects.push({ kind: 'rule', name, reason })),
  }));
  const context = {
    environments: new Set(environments.map(({ name }) => name)),
    projects: new Set(listRows(snapshot.projects).map(({ name }) => name)),
    typeOf: resolveType,
    skip: (object: SkippedObject) => skippedObjects.push(object),
  };
  const projects = listRows(snapshot.projects).map((project) => describedProject(project, context));
  return {
    environments: parentsFirst(environments, ({ parent }) => parent),
    types: parentsFirst(types, ({ parent }) => parent),
    projects: parentsFirst(projects, ({ dependsOn }) => dependsOn),
    skipped: skippedObjects,
    tags: (snapshot.tags ?? []).map(({ description, immutable, ...tag }) => ({
      ...tag,
      description: description ?? '',
      immutable: immutable ?? false,
    })),
    groups: (snapshot.groups ?? []).map(({ name, description, members }) => ({
      name,
      description: description ?? '',
      members: members ?? [],
    })),
    ...(snapshot.grants && { grants: snapshot.grants }),
  };
}

const listRows = <Row>(rows: Readonly<Record<string, Row>> | null | undefined): readonly Row[] =>
  Object.values(rows ?? {});

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name);

const convertRules = (rules: SnapshotParameter['rules'], skip: (reason: string) => void): PlatformRules =>
  Object.fromEntries(
    listRows(rules).flatMap(({ rule_type: kind, constraint }) => {
      if (isOneOf<RuleKind>(RULE_KINDS, kind)) return [[kind, constraint]];
      skip(`Strata has no rules of the kind ${kind}. Use one of ${RULE_KINDS.join(', ')}.`);
      return [];
    }),
  );

/** The names in a snapshot, and the list of the objects that are left out. */
interface SnapshotContext {
  readonly environments: ReadonlySet<string>;
  readonly projects: ReadonlySet<string>;
  typeOf(name: string): string;
  skip(object: SkippedObject): void;
}

function describedProject(project: SnapshotProject, context: SnapshotContext): PlatformProject {
  const { typeOf, skip } = context;
  return {
    name: project.name,
    dependsOn: project.parent ?? null,
    description: project.description ?? '',
    parameters: listRows(project.parameters).map(
      (parameter): PlatformParameter => ({
        name: parameter.name,
        type: typeOf(parameter.param_type),
        secret: parameter.secret,
        description: parameter.description ?? '',
        expires: parameter.expires ?? undefined,
        rules: convertRules(parameter.rules, (reason) =>
          skip({ kind: 'rule', project: project.name, name: parameter.name, reason }),
        ),
        values: listRows(parameter.values).flatMap((value) => {
          if (value === null || isInherited(value, project.name, context)) return [];
          const { environment } = value;
          const text = importedText(value, parameter.secret);
          if ('reason' in text) {
            skip({ kind: 'value', project: project.name, name: parameter.name, environment, reason: text.reason });
            return [];
          }
          return [{ environment, ...text }];
        }),
      }),
    ),
    templates: listRows(project.templates).map(({ name, text, description }) => ({
      name,
      body: text,
      description: description ?? '',
    })),
  };
}

/** Returns whether a value is set in another environment or project, and listed here only because it is effective here. */
const isInherited = (
  { environment, source, project }: SnapshotValue,
  owner: string,
  { environments, projects }: SnapshotContext,
): boolean =>
  (source != null && source !== environment && environments.has(source)) ||
  (project != null && project !== owner && projects.has(project));

const EVALUATED =
  'It refers to other parameters in the source, which a secret here cannot. Its evaluated text is imported, and does not change when these parameters change.';

/**
 * Returns the source text of a value. The evaluated text of a dynamic value can contain the text of a secret, so it is never imported into
 * a parameter that is not secret.
 */
function importedText(
  { external, evaluated, value = null, raw }: SnapshotValue,
  isSecret: boolean,
): Omit<PlatformValue, 'environment'> | { readonly reason: string } {
  if (external) {
    return {
      reason:
        'Its text is in an external system, and an import does not connect it. Set the value again with its location.',
    };
  }
  const source = raw ?? null;
  // A dynamic value that could not be evaluated has a source but no text.
  const isDynamic = evaluated || (source !== null && source !== value);
  if (!isDynamic) return { text: source ?? value, isDynamic: false };
  if (isSecret) {
    if (value === null) {
      return {
        reason:
          'A secret cannot refer to other parameters here, and its text could not be evaluated. Set the text yourself.',
      };
    }
    return { text: value, isDynamic: false, difference: EVALUATED };
  }
  if (source === null) {
    return {
      reason: 'The snapshot has only the evaluated text, which can contain secrets. Set the source text yourself.',
    };
  }
  return { text: source, isDynamic: true };
}
