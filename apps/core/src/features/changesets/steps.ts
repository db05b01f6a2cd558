import { type ChangesetOperation, changesetUse, OPERATIONS, type Operation } from '@strata/contract';
import {
  type Ability,
  asSentence,
  canCall,
  createProblemAt,
  deniedCallError,
  Failure,
  isUuid,
  jsonPointer,
  type LocatedProblem,
  type ObjectType,
  type PathScope,
  PreconditionFailedError,
  pointerSegments,
  pointerTo,
  sentence,
} from '@strata/domain';
import { z } from 'zod';
import { scopeOfRoute } from '../../platform/auth/scope-of-path.ts';
import type { Caller } from '../../platform/caller.ts';
import { findCause, type RequestInput } from '../../platform/http/error-location.ts';
import { lastSegment } from '../../platform/http/links.ts';
import type { OperationCommands } from '../../platform/http/operation-commands.ts';
import { toRoute } from '../../platform/http/operation-controller.ts';
import type { Call } from '../../platform/http/request.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { Command } from '../../platform/ledger/command.ts';
import type { PlanRecorder } from '../../platform/ledger/plan-recorder.ts';
import { ExpectedVersion } from './expected-version.ts';
import {
  type CreatedIds,
  linkTargets,
  listLinks,
  listReferences,
  replaceReferences,
  resolveReference,
} from './references.ts';

/** One operation of a changeset. Its command can be created when the ids of its references are known. */
export interface Step {
  /** The operation id, or `set`, `unset` or `promote`. */
  readonly name: string;
  /** The member of the operation that contains the input; null if the request has no operations. */
  readonly input: 'body' | 'set' | 'unset' | 'promote' | null;
  /** The input, to find the member that caused an error; null if the request has no operations. */
  readonly request: RequestInput | null;
  readonly as: string | null;
  /** The names of earlier operations whose objects this one uses. */
  readonly refersTo: readonly string[];
  /** The version that the client expects the object to have before the changeset. */
  readonly expects: ExpectedVersion | null;
  /** Creates the command. Throws the errors that the operation can detect before it reads or writes anything. */
  command(caller: Caller, createdIds: CreatedIds): Promise<Command<unknown>>;
  /**
   * Throws if the caller may not call the operation. Runs again right before the operation, because an earlier one may
   * have removed the permission.
   */
  assertMayCall(caller: Caller, createdIds: CreatedIds): void;
  /** Returns the id of the object that the operation created or changed, or null if it may be several objects. */
  resolveId(changes: readonly Change[], createdIds: CreatedIds): string | null;
  /**
   * Returns whether a plan cannot show the rejection of this step. By default, this is so if the step validated a
   * stored secret.
   */
  isBeyondPlans?(recorder: PlanRecorder): boolean;
  /** Returns the objects that the operation reads to decide what to write, except those that it writes. */
  reads?(createdIds: CreatedIds): ObservedObjects;
}

/** Ids of objects that an operation reads. */
export interface ObservedObjects {
  readonly objects: readonly string[];
  /** Objects that are read together with their contents. */
  readonly contents?: readonly string[];
  /** Objects that are read together with all of their descendants. */
  readonly below?: readonly string[];
}

const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

/** Returns the step that runs an operation of the contract. */
export function operationStep(commands: OperationCommands, call: Call, input: ChangesetOperation): Step {
  const { operation: id = '', path = {}, query = {}, body, as = null, if_match: ledgerId } = input;
  const operation = BY_ID.get(id);
  const resolvePath = (createdIds: CreatedIds) =>
    Object.fromEntries(Object.entries(path).map(([name, segment]) => [name, resolveReference(segment, createdIds)]));
  const objectId = typeof path.id === 'string' ? path.id.toLowerCase() : '';
  const expects = ledgerId === undefined ? null : new ExpectedVersion(objectId, ledgerId);
  const stepCall: Call = {
    ...callParts(call),
    query: queryTexts(query),
    headers: input.if_none_match === undefined ? {} : { 'if-none-match': input.if_none_match },
    ...(expects && { precondition: (em, caller) => expects.assertFound(em, caller) }),
  };
  return {
    name: id,
    input: 'body',
    request: { template: operation?.path ?? '', path, query, body },
    as,
    refersTo: [...listReferences(Object.values(path)), ...listLinks(operation?.body, body)],
    expects,
    command: async (caller, createdIds) => {
      const { maker, contract } = inChangesets(commands, id, operation);
      const pathIds = resolvePath(createdIds);
      assertPath(contract, pathIds);
      assertCall(caller, contract.requires, pathScope(contract, pathIds));
      assertConditions(contract, input);
      const command = await maker({ ...stepCall, caller }, pathIds, replaceReferences(contract.body, body, createdIds));
      return input.if_none_match === undefined ? command : ifAbsent(command);
    },
    assertMayCall: (caller, createdIds) => {
      if (operation) assertCall(caller, operation.requires, pathScope(operation, resolvePath(createdIds)));
    },
    resolveId: (changes, createdIds) => {
      const use = operation && changesetUse(operation);
      if (use?.changeset !== 'yes' || use.makes === null) return null;
      return (
        createdId(changes, use.makes) ??
        (operation && isCreation(operation) ? null : (resolvePath(createdIds).id ?? null))
      );
    },
    reads: (createdIds) => {
      const ids = Object.values(resolvePath(createdIds)).map((segment) => segment.toLowerCase());
      const links = linkTargets(operation?.body, replaceReferences(operation?.body, body, createdIds)).map((link) =>
        lastSegment(link).toLowerCase(),
      );
      const contents = id.endsWith(COPYING) ? ids.filter(isUuid) : [];
      return { objects: [...ids, ...links].filter(isUuid), contents, below: body?.recursive ? contents : [] };
    },
  };
}

/** The suffix of the ids of operations that copy an object with its contents. */
const COPYING = '_copy_create';

/** Returns the parts of a request that a command may read. */
function callParts({ caller, links, url, reply }: Call): Pick<Call, 'caller' | 'links' | 'url' | 'reply'> {
  return { caller, links, url, reply };
}

function inChangesets(commands: OperationCommands, id: string, contract: Operation | undefined) {
  if (!contract) {
    throw Failure.field(
      'unknown_operation',
      'operation',
      sentence`There is no operation ${{ operation: id }}. See the ids in /api/schema/.`,
    );
  }
  const use = changesetUse(contract);
  if (use.changeset === 'no') {
    throw Failure.field(
      'not_in_changeset',
      'operation',
      sentence`${{ operation: id }} cannot be part of a changeset. ${asSentence(use.reason)}`,
    );
  }
  const maker = commands.of(id);
  if (!maker) throw new Error(`No controller creates commands of ${id}.`);
  return { maker, contract };
}

function assertPath({ path }: Operation, pathIds: Readonly<Record<string, string>>): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (pathIds[name] === undefined) {
      throw Failure.fields('required', [createProblemAt(['path', name], 'This field is required.')]);
    }
  }
}

function pathScope({ path }: Operation, pathIds: Readonly<Record<string, string>>): PathScope | null {
  return scopeOfRoute(toRoute(path), pathIds);
}

export function assertCall(caller: Caller, requires: Operation['requires'], scope: PathScope | null): void {
  if (requires !== 'nothing' && !canCall(caller, requires satisfies Ability, scope))
    throw deniedCallError(caller, requires, scope);
}

const isCreation = ({ status }: Operation) => status === 201;

function assertConditions(
  operation: Operation,
  { if_match: ledgerId, if_none_match: none, path = {} }: ChangesetOperation,
): void {
  if (none !== undefined && !isCreation(operation)) {
    throw Failure.field(
      'contradiction',
      'if_none_match',
      '`if_none_match` requires an operation that creates an object.',
    );
  }
  if (ledgerId !== undefined && (isCreation(operation) || path.id === undefined)) {
    throw Failure.field('contradiction', 'if_match', '`if_match` requires an operation on an existing object.');
  }
}

/** Returns a command that throws 412 instead of the usual error if the object exists, as `if_none_match` requires. */
function ifAbsent(command: Command<unknown>): Command<unknown> {
  const run: Command<unknown>['run'] = async (context) => {
    try {
      return await command.run(context);
    } catch (error) {
      if (!(error instanceof Failure) || !error.code.startsWith('duplicate_')) throw error;
      throw new PreconditionFailedError([], error.message).at('/if_none_match');
    }
  };
  return { ...command, run };
}

/**
 * Returns the id of the first created object of a type. If none was created, returns the id of the first changed one.
 */
function createdId(changes: readonly Change[], type: ObjectType): string | null {
  const ofType = changes.filter(({ objectType }) => objectType === type);
  const change = ofType.find(({ action }) => action === 'create') ?? ofType[0];
  return change?.object.id ?? null;
}

/** Returns the query parameters as texts. In JSON they can be booleans or numbers. */
function queryTexts(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const word = (value: unknown) => (['boolean', 'number'].includes(typeof value) ? String(value) : value);
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.map(word) : word(value)]),
  );
}

/**
 * A command that was created before the write, or the error of creating it; null if the command depends on earlier
 * operations.
 */
export type PreparedCommand = { readonly command: Command<unknown> } | { readonly failure: Failure } | null;

/** A step with its command, if that could be created before the write. */
export interface PreparedStep {
  readonly step: Step;
  readonly prepared: PreparedCommand;
}

/** The members of an operation that contain no input of it. No body has a member with one of these names. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['operation', 'path', 'query', 'as', 'if_match', 'if_none_match']);

/** Returns a function that returns the JSON pointer to the part of the request that a problem of an operation is about. */
export function locateInOperation(
  index: number,
  { input, request, name }: Pick<Step, 'input' | 'request' | 'name'>,
  failure: Failure,
): (problem: LocatedProblem) => string {
  if (input === null || request === null) return () => '';
  const operation = jsonPointer(['operations', index]);
  const cause = findCause(failure, request);
  const fallback = cause && operation + jsonPointer([cause.part === 'body' ? input : cause.part, ...cause.path]);
  return (problem) => {
    const pointer = problem.field === '$ref' ? '' : pointerTo(problem);
    if (pointer === '') return fallback ?? operation;
    const [member = ''] = pointerSegments(pointer);
    if (OWN_MEMBERS.has(member)) return operation + pointer;
    const part = input === 'body' && isQueryParameter(name, member, request) ? 'query' : input;
    return operation + jsonPointer([part]) + pointer;
  };
}

/** Returns whether a member is a query parameter of an operation, and not a member of its body. */
function isQueryParameter(id: string, member: string, { query, body }: RequestInput): boolean {
  const { query: schema, body: bodySchema } = BY_ID.get(id) ?? {};
  const hasMember = (value: unknown) => typeof value === 'object' && value !== null && Object.hasOwn(value, member);
  if (hasMember(body) || !hasMember(schema?.shape)) return false;
  return hasMember(query) || !(bodySchema instanceof z.ZodObject && hasMember(bodySchema.shape));
}
