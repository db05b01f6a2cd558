import { type ChangesetBody, readChangesetFile } from './changeset-file.ts';
import type { Context } from './context.ts';
import { invalidInputError } from './errors.ts';
import { promptSecret, readStdin, withoutLineEnd } from './prompt.ts';

export interface ChangeOptions {
  readonly message?: string;
  readonly externalRef?: string;
  readonly create?: boolean;
  readonly secret?: boolean;
  readonly type?: string;
  readonly null?: readonly string[];
  readonly unset?: readonly string[];
  readonly file?: readonly string[];
}

type Settable = { readonly value: string | null } & Readonly<Record<string, unknown>>;

/** Returns the members of a changeset that describe it. */
export const describeChangeset = ({ message, externalRef }: Pick<ChangeOptions, 'message' | 'externalRef'>) => ({
  ...(message && { message }),
  ...(externalRef && { external_ref: externalRef }),
});

/** Returns the changeset of `NAME=value` arguments, of --null and --unset, or of a file. */
export async function readChangeset(
  context: Context,
  assignments: readonly string[],
  options: ChangeOptions,
): Promise<ChangesetBody> {
  const { file, unset = [] } = options;
  const changesetText = describeChangeset(options);
  if (file !== undefined) {
    if (assignments.length + unset.length + (options.null ?? []).length > 0)
      throw invalidInputError('--file excludes other changes.', 'Write all of them into the file.');
    return { ...withScope(await readChangesetFiles(file), context), ...changesetText };
  }
  const { project, environment } = context;
  const values = await settableValues(assignments, options);
  const set = { project, environment, values, create_missing: options.create ?? false };
  const operations = [
    ...(Object.keys(values).length > 0 ? [{ set }] : []),
    ...(unset.length > 0 ? [{ unset: { project, environment, names: unset } }] : []),
  ];
  if (operations.length === 0)
    throw invalidInputError('There is nothing to change.', 'Give NAME=value, --null, --unset or --file.');
  return { ...changesetText, operations };
}

async function settableValues(assignments: readonly string[], options: ChangeOptions) {
  const { create = false, secret = false, type } = options;
  if (!create && (secret || type !== undefined)) throw invalidInputError('--secret and --type require --create.');
  const attributes = { ...(secret && { secret }), ...(type && { type }) };
  // A parameter can have the name `__proto__`.
  const values: Record<string, Settable> = Object.create(null);
  for (const [name, text] of assignments.map(parseAssignment)) {
    if (text !== undefined && secret)
      throw invalidInputError(
        `The value of the secret "${name}" must not be an argument, which other users of this machine can read.`,
        `Give only the name. The value is read from the terminal or standard input: strata set ${name} --create --secret < file`,
      );
    // Strata rejects `secret: false` for a parameter that is secret.
    values[name] =
      text === undefined
        ? { value: await readValue(name, assignments), ...attributes }
        : { value: text, ...attributes, secret: false };
  }
  for (const name of options.null ?? []) values[name] = { value: null, ...attributes };
  return values;
}

function parseAssignment(argument: string): readonly [string, string | undefined] {
  const at = argument.indexOf('=');
  if (at === 0) throw invalidInputError('A value has no name.', 'Write NAME=value.');
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

/** Reads a value that is no argument, from the terminal or from standard input. */
async function readValue(name: string, assignments: readonly string[]): Promise<string> {
  if (process.stdin.isTTY) return promptSecret(`Value of ${name}`);
  if (assignments.filter((argument) => !argument.includes('=')).length > 1)
    throw invalidInputError(
      'Standard input can contain only one value.',
      'Give the others as NAME=value, or use --file.',
    );
  return withoutLineEnd(await readStdin());
}

/** Returns one changeset with the operations of all files, in this order. */
async function readChangesetFiles(files: readonly string[]): Promise<ChangesetBody> {
  const bodies = await Promise.all(files.map(readChangesetFile));
  const members = bodies.flatMap(({ operations: _, ...body }) => Object.entries(body));
  const body = Object.fromEntries(members);
  if (Object.keys(body).length < members.length)
    throw invalidInputError(
      'Several files have the same member.',
      'Apart from "operations", write each member into one file.',
    );
  return { ...body, operations: bodies.flatMap(({ operations }) => operations) };
}

/** Adds the selected project and environment to operations by names that have none. */
function withScope({ operations, ...body }: ChangesetBody, context: Context): ChangesetBody {
  const completeStep = (step: unknown, members: readonly string[]) =>
    typeof step !== 'object' || step === null
      ? step
      : {
          ...(members.includes('project') && !('project' in step) && { project: context.project }),
          ...(members.includes('environment') && !('environment' in step) && { environment: context.environment }),
          ...step,
        };
  const completedOperations = operations.map((operation) => {
    const { set, unset, promote } = (operation ?? {}) as Readonly<Record<string, unknown>>;
    return {
      ...operation,
      ...(set !== undefined && { set: completeStep(set, ['project', 'environment']) }),
      ...(unset !== undefined && { unset: completeStep(unset, ['project', 'environment']) }),
      ...(promote !== undefined && { promote: completeStep(promote, ['project']) }),
    };
  });
  return { ...body, operations: completedOperations };
}
