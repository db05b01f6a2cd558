import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  DeletionQuery,
  parseBody,
  parseQuery,
  VALUES,
  type Value,
  ValueCreate,
  ValueListQuery,
  ValuePatch,
  ValueQuery,
  ValueUpdate,
} from '@strata/contract';
import { mayReveal, type ValueId } from '@strata/domain';
import { Requires } from '../../../platform/auth/requires.ts';
import { pathId } from '../../../platform/http/links.ts';
import { OperationCommands } from '../../../platform/http/operation-commands.ts';
import type { PathParameters } from '../../../platform/http/operation-controller.ts';
import { parseListQuery, presentListPage } from '../../../platform/http/page.ts';
import { ifMatch } from '../../../platform/http/precondition.ts';
import { readBack } from '../../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../../platform/http/request.ts';
import { ResponseCache, type WrittenBody } from '../../../platform/http/response-cache.ts';
import { sendCreated, sendJson, sendRemoved } from '../../../platform/http/send-json.ts';
import type { Command } from '../../../platform/ledger/command.ts';
import { UnitOfWork } from '../../../platform/ledger/unit-of-work.ts';
import { withoutDisclosure } from '../../../platform/limits/request-limits.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { toQueryResult } from '../../snapshot/result-version.ts';
import { type ParameterPath, parameterKey } from '../parameter-path.ts';
import type { ParameterKey } from '../parameters.reader.ts';
import { assertSingle } from './external-change.ts';
import { type AssertPresentable, ValueChanges } from './value-changes.ts';
import { ValueCreations } from './value-creations.ts';
import type { ValueWithContext } from './value-with-context.ts';
import { pickFields, selectsAllFields, showsClearText, ValuesReader } from './values.reader.ts';

interface Path extends ParameterPath {
  readonly id: string;
}

/** The values of a parameter, and how the response shows them. */
interface ValuesRequest {
  readonly call: Call;
  readonly key: ParameterKey;
  readonly query: ValueQuery;
}

/** A value that a request names. */
interface ValueRequest extends ValuesRequest {
  readonly id: ValueId;
}

/**
 * The result of a command. For a repeated request, it is the id of the value (as the previous release stored it) or
 * undefined.
 */
type StoredValue = ValueWithContext | ValueId | undefined;

@Controller('projects/:project/parameters/:parameter/values')
export class ValuesController {
  constructor(
    private readonly reader: ValuesReader,
    private readonly changes: ValueChanges,
    private readonly creations: ValueCreations,
    private readonly unitOfWork: UnitOfWork,
    private readonly responses: ResponseCache,
    commands: OperationCommands,
  ) {
    const { prefix } = VALUES;
    const pathIds = ({ project_pk: project = '', parameter_pk: parameter = '', id = '' }: PathParameters) => ({
      project,
      parameter,
      id,
    });
    commands.add({
      [`${prefix}_create`]: (call, path, body) =>
        this.creation(valuesRequest(call, pathIds(path)), single(parseBody(ValueCreate, body))),
      [`${prefix}_update`]: (call, path, body) =>
        this.changing(valueRequest(call, pathIds(path)), single(parseBody(ValueUpdate, body))),
      [`${prefix}_partial_update`]: (call, path, body) =>
        this.changing(valueRequest(call, pathIds(path)), single(parseBody(ValuePatch, body))),
      [`${prefix}_destroy`]: (call, path) => this.removal(valueRequest(call, pathIds(path))),
    });
  }

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param() path: Path) {
    return this.responses.send(call, async () => {
      const query = parseListQuery(ValueListQuery, call);
      const { snapshot, write } = await this.reader.findPage(parameterKey(call, path), query);
      return toQueryResult(snapshot, async (links) => {
        const result = await write(links);
        const listing = { url: call.url, reply: call.reply, links };
        const sortedBy = ['environment_name', 'id'] as const;
        const body = presentListPage(listing, query, result, (value) => pickFields(value, query), sortedBy);
        const identity = selectsAllFields(query) ? undefined : call.url;
        return { body, identity, hasClearSecret: () => showsClearText(result.rows, query) };
      });
    });
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    const request = valuesRequest(call, path);
    const input = parseBody(ValueCreate, body);
    const options = { isTyped: input.external !== true };
    const createdValue = await this.carriedOut(request, await this.creation(request, input), options);
    return sendCreated(call, createdValue.revision, createdValue.value);
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param() path: Path) {
    return this.responses.send(call, async (headNow) => {
      const { key, id, query } = valueRequest(call, path);
      const { write, ...result } = await this.reader.findOne(key, id, query, headNow);
      return {
        ...result,
        write: async (links) => {
          const value = await write(links);
          return { ...chosen(value, query), hasClearSecret: () => showsClearText([value], query) };
        },
      };
    });
  }

  @Put(':id')
  @Requires('write_content')
  replace(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, path, parseBody(ValueUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, path, parseBody(ValuePatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param() path: Path) {
    const { force: isForced } = parseQuery(DeletionQuery, call.query);
    const { revision } = await this.unitOfWork.run({ ...this.removal(valueRequest(call, path)), isForced });
    sendRemoved(call, revision);
  }

  private creation(request: ValuesRequest, input: ValueCreate) {
    const { call, key, query } = request;
    const view = query.environment === undefined ? null : this.view(request);
    const isFirst = call.headers['if-none-match']?.trim() === '*';
    return this.creations.create(call.caller, key, input, { isFirst, view });
  }

  private changing(request: ValueRequest, patch: ValuePatch) {
    const { call, key, id, query } = request;
    const isConditional =
      call.headers['if-match'] !== undefined || call.precondition !== undefined || query.environment !== undefined;
    const conditions = isConditional ? { before: this.precondition(request), after: this.view(request) } : null;
    return this.changes.change(call.caller, key, id, patch, conditions);
  }

  private removal(request: ValueRequest) {
    const { call, key, id } = request;
    return this.changes.remove(call.caller, key, id, this.precondition(request));
  }

  private async change(call: Call, path: Path, patch: ValuePatch) {
    const request = valueRequest(call, path);
    const { key, id, query } = request;
    const command = await this.changing(request, patch);
    // The response will show the stored text, unless the caller sends it. So it is rejected before it is written.
    if (patch.internal_value === undefined && !mayReveal(call.caller))
      await this.reader.readOne(key, id, query, call.links);
    const options = { isTyped: patch.internal_value !== undefined, id };
    const changedValue = await this.carriedOut(request, command, options);
    return sendJson(call, changedValue.revision, changedValue.value);
  }

  /**
   * Runs the command and presents the stored value. If its text must be evaluated, the value is read at the revision of
   * the write.
   */
  private async carriedOut(
    { call, key, query }: ValuesRequest,
    command: Command<StoredValue>,
    { isTyped, id = null }: { readonly isTyped: boolean; readonly id?: ValueId | null },
  ) {
    const { result, revision } = await this.unitOfWork.run<StoredValue>(command);
    // A repeated request may only know the id of the value.
    const storedResult = typeof result === 'object' ? { ...result, revision } : null;
    const readValue = () => storedResult && this.reader.ofValue(storedResult, { query, links: call.links });
    const shownValue = await (isTyped ? withoutDisclosure(readValue) : readValue());
    const valueId = storedResult?.value.id ?? result?.toString() ?? id ?? '';
    return shownValue ?? readBack(revision, (at) => this.reader.readOne(key, valueId, query, call.links, at));
  }

  /**
   * Returns a check that runs inside the write. If the value cannot be shown in the requested `environment`, the whole
   * write is rejected.
   */
  private view({ call, key, query }: ValuesRequest): AssertPresentable {
    return async (em, id) => {
      if (query.environment === undefined) return;
      const unevaluated = { ...query, evaluate: false };
      await withoutDisclosure(() =>
        this.reader.readOne(key, id, unevaluated, call.links, 'now', SnapshotReader.within(em)),
      );
    };
  }

  private precondition({ call, key, id, query }: ValueRequest) {
    return ifMatch(call, async (reader) => {
      const { value } = await this.reader.readOne(key, id, query, call.links, 'now', reader);
      const { body: representation, identity } = chosen(value, query);
      return { representation, identity, row: value };
    });
  }
}

/** Checks the input of an operation of a changeset. */
function single<Input extends ValuePatch>(input: Input): Input {
  assertSingle(input);
  return input;
}

/** Checks the path first, then the query. */
function valuesRequest(call: Call, path: ParameterPath): ValuesRequest {
  return { call, key: parameterKey(call, path), query: parseQuery(ValueQuery, call.query) };
}

function valueRequest(call: Call, path: Path): ValueRequest {
  const key = parameterKey(call, path);
  const id = pathId('Value', path.id);
  return { call, key, id, query: parseQuery(ValueQuery, call.query) };
}

/** Returns the requested fields of the value, and its id if these fields may not contain it. */
function chosen(value: Value, query: ValueQuery): Pick<WrittenBody, 'body' | 'identity'> {
  return { body: pickFields(value, query), identity: selectsAllFields(query) ? undefined : value.id };
}
