import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  ParameterCreate,
  ParameterListQuery,
  ParameterPatch,
  ParameterQuery,
  ParameterUpdate,
  parseBody,
  parseQuery,
} from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import type { PointInTime } from '../../platform/database/versioned-table.ts';
import { answer, created, MEMBERS_OF_A_LIST, removed } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { readBack } from '../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { findingOf, PresentAnswers } from '../snapshot/present-answers.ts';
import { parameterKey } from './parameter-path.ts';
import { type ParameterKey, ParametersReader, showsClearSecret } from './parameters.reader.ts';
import { ParametersService } from './parameters.service.ts';

@Controller('projects/:project/parameters')
export class ParametersController {
  constructor(
    private readonly reader: ParametersReader,
    private readonly parameters: ParametersService,
    private readonly answers: PresentAnswers,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param('project') project: string) {
    return this.answers.send(
      call,
      async () => {
        const query = parseListQuery(ParameterListQuery, call);
        const { snapshot, write } = await this.reader.findPage(call.caller, pathId('Project', project), query);
        return findingOf(snapshot, async (links) => {
          const found = await write(links);
          const body = envelope({ url: call.url, reply: call.reply, links }, query, found, (parameter) => parameter);
          return { body, hasClearSecret: showsClearSecret(found.rows, query) };
        });
      },
      MEMBERS_OF_A_LIST,
    );
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param('project') project: string, @Body() body: unknown) {
    const projectId = pathId('Project', project);
    const read = this.reading(call);
    const { result: id, revision } = await this.parameters.create(
      call.caller,
      projectId,
      parseBody(ParameterCreate, body),
    );
    const made = await readBack(revision, (at) => read(keyOf(call, project, id), at));
    return created(call, made.revision, made.parameter);
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param('project') project: string, @Param('id') id: string) {
    return this.answers.send(call, async () => {
      const query = parseQuery(ParameterQuery, call.query);
      const { snapshot, write } = await this.reader.findOne(keyOf(call, project, id), query);
      return findingOf(snapshot, async (links) => {
        const body = await write(links);
        return { body, hasClearSecret: showsClearSecret([body], query) };
      });
    });
  }

  @Put(':id')
  @Requires('write_content')
  replace(
    @CurrentCall() call: Call,
    @Param('project') project: string,
    @Param('id') id: string,
    @Body() body: unknown,
  ) {
    return this.change(call, keyOf(call, project, id), parseBody(ParameterUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param('project') project: string, @Param('id') id: string, @Body() body: unknown) {
    return this.change(call, keyOf(call, project, id), parseBody(ParameterPatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param('project') project: string, @Param('id') id: string) {
    const key = keyOf(call, project, id);
    const { revision } = await this.parameters.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, key: ParameterKey, wish: ParameterPatch) {
    const read = this.reading(call);
    const { revision } = await this.parameters.change(call.caller, key, wish, this.precondition(call, key));
    const changed = await readBack(revision, (at) => read(key, at));
    return answer(call, changed.revision, changed.parameter);
  }

  /** Made before the write: a query that cannot be understood is refused while nothing is stored yet. */
  private reading(call: Call) {
    const query = { ...PLAIN, mask_secrets: parseQuery(ParameterQuery, call.query).mask_secrets };
    return (key: ParameterKey, at: PointInTime) => this.reader.one(key, query, call.links, at);
  }

  /** The entity tag that counts is the one GET gave for the same query. */
  private precondition(call: Call, key: ParameterKey) {
    const query = parseQuery(ParameterQuery, call.query);
    return ifMatch(call, async (reader) => (await this.reader.one(key, query, call.links, 'now', reader)).parameter);
  }
}

const PLAIN = { evaluate: true, immediate_parameters: false, mask_secrets: false };

const keyOf = (call: Call, project: string, id: string) => parameterKey(call, { project, parameter: id });
