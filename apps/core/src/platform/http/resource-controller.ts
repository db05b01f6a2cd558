import type { Type } from '@nestjs/common';
import { type ApiNoun, DeletionQuery, OPERATIONS, parseBody, parseQuery } from '@strata/contract';
import { mayReveal, type Revision } from '@strata/domain';
import type { z } from 'zod';
import type { WriteResult } from '../ledger/command.ts';
import type { Head } from '../ledger/heads.ts';
import type { UnitOfWork } from '../ledger/unit-of-work.ts';
import { COMMAND_SERVICES, type CommandServices, NO_QUERY } from './action-controller.ts';
import { computeEtag, sendTagged } from './conditional-requests.ts';
import type { Links } from './links.ts';
import type { CommandMaker } from './operation-commands.ts';
import {
  type Injected,
  type OperationHandlers,
  operationController,
  type PathParameters,
} from './operation-controller.ts';
import { type ListPageRequest, parseListQuery, presentListPage } from './page.ts';
import { hasPointInTime } from './points-in-time.ts';
import { ifMatch } from './precondition.ts';
import { type Call, createTagContext, type Precondition, withLinks } from './request.ts';
import type { CreateRequest, ItemOf, ItemQueryOf, NounResource } from './resource.ts';
import { ResponseCache } from './response-cache.ts';
import { LIST_ITEM_DEPTH, sendLongJson, sendRemoved } from './send-json.ts';

type ListShape = Parameters<typeof parseListQuery>[0];

const RESOURCE_SERVICES = { ...COMMAND_SERVICES, responses: ResponseCache };

interface ResourceServices extends CommandServices {
  readonly responses: ResponseCache;
}

/**
 * Builds the controller of a noun with its standard operations, as far as the contract defines them. Calls `describe`
 * once with the injected services.
 */
export function resourceController<
  const N extends ApiNoun,
  Services extends object,
  Row extends object,
  Key,
  Parent,
  Made = Row,
  Stored = Row,
>(
  noun: N,
  uses: Injected<Services>,
  describe: (services: Services & ResourceServices) => NounResource<N, Row, Key, Parent, Made, Stored>,
): Type<unknown> {
  const defaultNames = new Set(
    ['list', 'retrieve', 'create', 'update', 'partial_update', 'destroy'].map((action) => `${noun.prefix}_${action}`),
  );
  return operationController<Services & ResourceServices>(
    `${noun.prefix} controller`,
    OPERATIONS.filter(({ id }) => defaultNames.has(id)),
    { ...uses, ...RESOURCE_SERVICES } as unknown as Injected<Services & ResourceServices>,
    (services) => {
      const handlers = new ResourceHandlers(noun, describe(services), services);
      services.commands.add(handlers.commands());
      return handlers.byOperation();
    },
  );
}

/**
 * Handles the standard operations. Errors of a read are checked in the order query, path; errors of a write in the
 * order path, query, body.
 */
class ResourceHandlers<N extends ApiNoun, Row extends object, Key, Parent, Made, Stored> {
  private readonly unitOfWork: UnitOfWork;
  private readonly responses: ResponseCache;

  constructor(
    private readonly noun: N,
    private readonly resource: NounResource<N, Row, Key, Parent, Made, Stored>,
    { unitOfWork, responses }: ResourceServices,
  ) {
    this.unitOfWork = unitOfWork;
    this.responses = responses;
  }

  byOperation(): OperationHandlers {
    const { prefix } = this.noun;
    const { answerList, answerOne, list, create, createOutsideLedger, change, remove } = this.resource;
    const createOf = create ?? createOutsideLedger;
    return {
      [`${prefix}_list`]: answerList ?? (list && ((call, path) => this.list(call, path))),
      [`${prefix}_retrieve`]: answerOne ?? ((call, path) => this.retrieve(call, path)),
      [`${prefix}_create`]: createOf && ((call, path, body) => this.create(call, path, body)),
      [`${prefix}_update`]: change && ((call, path, body) => this.change(call, path, 'update', body)),
      [`${prefix}_partial_update`]: change && ((call, path, body) => this.change(call, path, 'patch', body)),
      [`${prefix}_destroy`]: remove && ((call, path) => this.remove(call, path)),
    };
  }

  /** Returns the commands of its writes, for changesets. */
  commands(): Readonly<Record<string, CommandMaker | undefined>> {
    const { prefix } = this.noun;
    const { create, change, remove } = this.resource;
    return {
      [`${prefix}_create`]: create && (async (call, path, body) => create(this.creation(call, path, body))),
      [`${prefix}_update`]: change && ((call, path, body) => this.changing(call, path, 'update', body)),
      [`${prefix}_partial_update`]: change && ((call, path, body) => this.changing(call, path, 'patch', body)),
      [`${prefix}_destroy`]: remove && ((call, path) => this.removing(call, path)),
    };
  }

  private async list(call: Call, path: PathParameters) {
    if (this.resource.isStored) return this.sendStored(call, () => this.findPage(call, path), LIST_ITEM_DEPTH);
    const { revision, presentTo } = await this.findPage(call, path);
    return sendLongJson(call, revision, presentTo(call));
  }

  private async findPage(call: Call, path: PathParameters): Promise<Found> {
    const query = parseListQuery(this.noun.shapes.listQuery as ListShape, call) as never;
    const parent = this.readParent(path, call);
    const page = await this.resource.list?.({ call, caller: call.caller, parent, query });
    if (!page) throw noHandler(this.noun, 'lists');
    const presentPage = (shownTo: Call) => {
      const member = (row: Row) => this.resource.presentItem(row, shownTo, query);
      return presentListPage(shownTo, query as ListPageRequest, page, member, this.resource.sortedBy);
    };
    return { revision: page.revision, presentTo: presentPage };
  }

  private async retrieve(call: Call, path: PathParameters) {
    const find = async () => {
      const query = this.itemQuery(call.query);
      const key = this.resource.readKey(path, call);
      const { row, revision } = await this.resource.retrieve({ call, caller: call.caller, key, query });
      return { revision, presentTo: (shownTo: Call) => this.resource.presentItem(row, shownTo, query) };
    };
    if (this.resource.isStored) return this.sendStored(call, find, 0);
    const { revision, presentTo } = await find();
    return this.show(call, revision, presentTo(call));
  }

  private sendStored(call: Call, find: () => Promise<Found>, depth: number) {
    const query = async (headNow: () => Promise<Head>) => {
      const head = hasPointInTime(call.query) ? null : await headNow();
      const { revision, presentTo } = await find();
      return {
        revision,
        currentVersion: head?.revision === revision ? { head, contentVersion: null } : null,
        write: async (links: Links) => ({ body: presentTo(withLinks(call, links)), hasClearSecret: () => false }),
      };
    };
    return this.responses.send(call, query, depth);
  }

  private async create(call: Call, path: PathParameters, body: unknown) {
    const request = this.creation(call, path, body);
    const query = this.writeQuery(call);
    if (this.resource.createOutsideLedger) {
      const { row, revision } = await this.resource.createOutsideLedger(request);
      return this.showMade(call, revision, this.resource.presentItem(row, call, query));
    }
    const command = await this.resource.create?.(request);
    if (!command) throw noHandler(this.noun, 'creates');
    const writeResult = await this.unitOfWork.run<Made>(command);
    if (command.storedResult === 'shown_once') call.reply.header('cache-control', 'no-store');
    const item = isRow(writeResult.result)
      ? (this.resource.presentCreated?.(writeResult.result, call) ??
        this.resource.presentItem(await this.storedRow(call, writeResult, query), call, query))
      : await this.itemAt(call, path, String(writeResult.result), writeResult.revision);
    return this.showMade(call, writeResult.revision, item as ItemOf<N>);
  }

  private creation(call: Call, path: PathParameters, body: unknown): CreateRequest<N, Parent> {
    const parent = this.readParent(path, call);
    // an invalid query is rejected before the body is parsed
    this.writeQuery(call);
    const input = parseBody(requireShape(this.noun, 'create'), body) as never;
    return { call, caller: call.caller, parent, input };
  }

  /**
   * For an `Idempotency-Key`, a core of the previous release stored the id of a created object, and nothing for a
   * change.
   */
  private async itemAt(call: Call, path: PathParameters, id: string, at: Revision): Promise<ItemOf<N>> {
    const query = this.writeQuery(call);
    const key = this.resource.readKey({ ...path, id }, call);
    const { row } = await this.resource.retrieve({ call, caller: call.caller, key, query, at });
    return this.resource.presentItem(row, call, query);
  }

  private showMade(call: Call, revision: number, item: ItemOf<N>) {
    call.reply.status(201).header('location', (item as { readonly url: string }).url);
    return this.show(call, revision, item);
  }

  private async change(call: Call, path: PathParameters, shape: 'update' | 'patch', body: unknown) {
    const command = await this.changing(call, path, shape, body);
    const query = this.writeQuery(call);
    if (!mayReveal(call.caller))
      await this.resource.assertShown?.({ call, key: this.resource.readKey(path, call), query });
    const writeResult = await this.unitOfWork.run<Stored>(command);
    const item = isRow(writeResult.result)
      ? this.resource.presentItem(await this.storedRow(call, writeResult, query), call, query)
      : await this.itemAt(call, path, path.id ?? '', writeResult.revision);
    return this.show(call, writeResult.revision, item);
  }

  private async changing(call: Call, path: PathParameters, shape: 'update' | 'patch', body: unknown) {
    const key = this.resource.readKey(path, call);
    const query = this.writeQuery(call);
    const input = parseBody(requireShape(this.noun, shape), body) as never;
    const precondition = this.precondition(call, key, query);
    const command = await this.resource.change?.({ call, caller: call.caller, key, input, precondition });
    if (!command) throw noHandler(this.noun, 'changes');
    return command;
  }

  private async remove(call: Call, path: PathParameters) {
    const destroy = OPERATIONS.find(({ id }) => id === `${this.noun.prefix}_destroy`);
    const isForced = destroy?.query?.shape.force !== undefined && parseQuery(DeletionQuery, call.query).force;
    const command = await this.removing(call, path);
    sendRemoved(call, (await this.unitOfWork.run({ ...command, isForced })).revision);
  }

  private async removing(call: Call, path: PathParameters) {
    const key = this.resource.readKey(path, call);
    const precondition = this.precondition(call, key, this.writeQuery(call));
    const command = await this.resource.remove?.({ call, caller: call.caller, key, precondition });
    if (!command) throw noHandler(this.noun, 'removes');
    return command;
  }

  /** Compares with the representation that GET would return now. */
  private precondition(call: Call, key: Key, query: ItemQueryOf<N>): Precondition {
    return ifMatch(call, async (reader) => {
      const { row } = await this.resource.retrieve({ call, caller: call.caller, key, query, at: 'now', reader });
      return { representation: this.taggedPart(this.resource.presentItem(row, call, query)), row };
    });
  }

  private async storedRow(
    call: Call,
    { result, revision }: WriteResult<Made | Stored>,
    query: ItemQueryOf<N>,
  ): Promise<Row> {
    const { afterCommit } = this.resource;
    // without it, the command's result is the row
    if (!afterCommit) return result as unknown as Row;
    return afterCommit(result, { call, caller: call.caller, query, revision });
  }

  private readParent(path: PathParameters, call: Call): Parent {
    return this.resource.readParent?.(path, call) as Parent;
  }

  private itemQuery(query: unknown): ItemQueryOf<N> {
    return parseQuery(this.noun.shapes.itemQuery ?? NO_QUERY, query) as ItemQueryOf<N>;
  }

  private writeQuery(call: Call): ItemQueryOf<N> {
    return this.itemQuery(this.resource.takesQueryInWrites ? call.query : {});
  }

  private taggedPart(item: ItemOf<N>): unknown {
    return this.resource.tagged ? this.resource.tagged(item) : item;
  }

  private show(call: Call, revision: number, item: ItemOf<N>) {
    const text = JSON.stringify(item);
    const tagged = this.resource.tagged ? JSON.stringify(this.taggedPart(item)) : text;
    call.reply.header('x-revision', String(revision));
    return sendTagged(call, text, computeEtag(tagged, createTagContext(call.reply.request)));
  }
}

/** A result before presentation. */
interface Found {
  readonly revision: Revision;
  presentTo(call: Call): unknown;
}

const isRow = (result: unknown): boolean => typeof result === 'object' && result !== null;

function requireShape({ shapes, plural }: ApiNoun, name: 'create' | 'update' | 'patch'): z.ZodType {
  const shape = shapes[name];
  if (!shape) throw new Error(`The contract has no shape for the ${name} of ${plural}.`);
  return shape;
}

const noHandler = ({ plural }: ApiNoun, action: string) => new Error(`Nobody ${action} ${plural}.`);
