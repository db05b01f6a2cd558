import { type ChangesetOperation, changesetUse, OPERATIONS, type Operation } from '@strata/contract';
import {
  type Ability,
  canCall,
  Failure,
  isUuid,
  type ObjectType,
  type PathScope,
  PreconditionFailed,
} from '@strata/domain';
import { scopeOfRoute } from '../../platform/auth/scope-of-path.ts';
import type { Caller } from '../../platform/caller.ts';
import { lastSegment } from '../../platform/http/links.ts';
import type { OperationCommands } from '../../platform/http/operation-commands.ts';
import { routeOf } from '../../platform/http/operation-controller.ts';
import type { Call } from '../../platform/http/request.ts';
import type { Change } from '../../platform/ledger/change.ts';
import type { Command } from '../../platform/ledger/command.ts';
import type { PlanRecorder } from '../../platform/ledger/plan-recorder.ts';
import { ExpectedVersion } from './expected-version.ts';
import { linksIn, linkTargets, type Made, placed, referencesIn, withIds } from './references.ts';

/** One operation of a changeset, as a command that can be made once it is known what it refers to. */
export interface Step {
  /** The id of the operation; or set, unset or promote. */
  readonly name: string;
  readonly as: string | null;
  /** Names of what earlier operations make. */
  readonly refersTo: readonly string[];
  /** What an object must have been before the changeset. */
  readonly expects: ExpectedVersion | null;
  /** Throws the error of the operation by itself, before it does anything. */
  command(caller: Caller, made: Made): Promise<Command<unknown>>;
  /** Checked again right before the operation, because an earlier one may have removed the permission for it. */
  assertMayCall(caller: Caller, made: Made): void;
  /** The id of what it made or changed; null where that may be many. */
  idOf(changes: readonly Change[], made: Made): string | null;
  /** Returns whether a plan cannot show its refusal. Default: whether it validated a stored secret. */
  isBeyondPlans?(recorder: PlanRecorder): boolean;
  /** What its decision rests on, besides what it writes. */
  looksAt?(made: Made): ObservedObjects;
}

/** By ids. */
export interface ObservedObjects {
  readonly objects: readonly string[];
  /** What is looked at with all that is in it. */
  readonly contents?: readonly string[];
  /** Those of them that are looked at with what is below. */
  readonly below?: readonly string[];
}

const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

/** An operation of the contract as a step. */
export function operationStep(commands: OperationCommands, call: Call, input: ChangesetOperation): Step {
  const { operation: id = '', path = {}, query = {}, body, as = null, if_match: ledgerId } = input;
  const operation = BY_ID.get(id);
  const pathOf = (made: Made) =>
    Object.fromEntries(Object.entries(path).map(([name, place]) => [name, placed(place, made)]));
  const objectId = typeof path.id === 'string' ? path.id.toLowerCase() : '';
  const expects = ledgerId === undefined ? null : new ExpectedVersion(objectId, ledgerId);
  const own: Call = {
    ...partsOf(call),
    query: wordsOf(query),
    headers: input.if_none_match === undefined ? {} : { 'if-none-match': input.if_none_match },
    ...(expects && { precondition: (em, caller) => expects.assertFound(em, caller) }),
  };
  return {
    name: id,
    as,
    refersTo: [...referencesIn(Object.values(path)), ...linksIn(operation?.body, body)],
    expects,
    command: async (caller, made) => {
      const { maker, contract } = inChangesets(commands, id, operation);
      const places = pathOf(made);
      assertPath(contract, places);
      assertCall(caller, contract.requires, scopeOf(contract, places));
      assertConditions(contract, input);
      const command = await maker({ ...own, caller }, places, withIds(contract.body, body, made));
      return input.if_none_match === undefined ? command : ifAbsent(command);
    },
    assertMayCall: (caller, made) => {
      if (operation) assertCall(caller, operation.requires, scopeOf(operation, pathOf(made)));
    },
    idOf: (changes, made) => {
      const use = operation && changesetUse(operation);
      if (use?.changeset !== 'yes' || use.makes === null) return null;
      return madeId(changes, use.makes) ?? (operation && isCreation(operation) ? null : (pathOf(made).id ?? null));
    },
    looksAt: (made) => {
      const ids = Object.values(pathOf(made)).map((place) => place.toLowerCase());
      const links = linkTargets(operation?.body, withIds(operation?.body, body, made)).map((link) =>
        lastSegment(link).toLowerCase(),
      );
      const contents = id.endsWith(COPYING) ? ids.filter(isUuid) : [];
      return { objects: [...ids, ...links].filter(isUuid), contents, below: body?.recursive ? contents : [] };
    },
  };
}

/** Ends the ids of operations that copy whatever is in something. */
const COPYING = '_copy_create';

/** What a command may use of its request; links and headers of the answer are not its business. */
function partsOf({ caller, links, url, reply }: Call): Pick<Call, 'caller' | 'links' | 'url' | 'reply'> {
  return { caller, links, url, reply };
}

function inChangesets(commands: OperationCommands, id: string, contract: Operation | undefined) {
  if (!contract) {
    throw Failure.field('unknown_operation', 'operation', `There is no operation ${id}. See the ids in /api/schema/.`);
  }
  const use = changesetUse(contract);
  if (use.changeset === 'no') {
    throw Failure.field('not_in_changeset', 'operation', `${id} cannot be part of a changeset. ${use.reason}`);
  }
  const maker = commands.of(id);
  if (!maker) throw new Error(`Nobody makes commands of ${id}.`);
  return { maker, contract };
}

function assertPath({ path }: Operation, places: Readonly<Record<string, string>>): void {
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (places[name] === undefined) throw Failure.field('required', 'path', `${name}: This field is required.`);
  }
}

function scopeOf({ path }: Operation, places: Readonly<Record<string, string>>): PathScope | null {
  return scopeOfRoute(routeOf(path), places);
}

export function assertCall(caller: Caller, requires: Operation['requires'], scope: PathScope | null): void {
  if (requires !== 'nothing' && !canCall(caller, requires satisfies Ability, scope)) throw Failure.forbidden();
}

const isCreation = ({ status }: Operation) => status === 201;

function assertConditions(
  operation: Operation,
  { if_match: ledgerId, if_none_match: none, path = {} }: ChangesetOperation,
): void {
  if (none !== undefined && !isCreation(operation)) {
    throw Failure.field('contradiction', 'if_none_match', 'Only an operation that makes something can ask for this.');
  }
  if (ledgerId !== undefined && (isCreation(operation) || path.id === undefined)) {
    throw Failure.field('contradiction', 'if_match', 'Only an operation on an object that is there can ask for this.');
  }
}

/** What is there already is 412, as its maker asked for. */
function ifAbsent(command: Command<unknown>): Command<unknown> {
  const run: Command<unknown>['run'] = async (context) => {
    try {
      return await command.run(context);
    } catch (error) {
      if (!(error instanceof Failure) || !error.code.startsWith('duplicate_')) throw error;
      throw new PreconditionFailed([], error.message);
    }
  };
  return { ...command, run };
}

/** The first that was made; else the first that was touched. */
function madeId(changes: readonly Change[], type: ObjectType): string | null {
  const own = changes.filter(({ objectType }) => objectType === type);
  const change = own.find(({ action }) => action === 'create') ?? own[0];
  return change?.object.id ?? null;
}

/** Query parameters are texts; in JSON they may stand as what they mean. */
function wordsOf(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const word = (value: unknown) => (['boolean', 'number'].includes(typeof value) ? String(value) : value);
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.map(word) : word(value)]),
  );
}

/** A command that was made before anybody had to wait for it, or why it cannot be. */
export type EarlyCommand = { readonly command: Command<unknown> } | { readonly refused: Failure } | null;

/** A step, and its command where that could be made before. */
export interface PreparedStep {
  readonly step: Step;
  readonly early: EarlyCommand;
}
