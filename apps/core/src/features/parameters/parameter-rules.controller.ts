import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  ParameterRuleCreate,
  ParameterRulePatch,
  ParameterRuleUpdate,
  parseBody,
  parseQuery,
  RuleListQuery,
  type RulePatch,
  RuleQuery,
} from '@strata/contract';
import type { Uuid } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import type { SnapshotReader } from '../../platform/database/snapshot-reader.ts';
import type { PointInTime } from '../../platform/database/versioned-table.ts';
import { answer, created, removed } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { readBack } from '../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { pageOfRules } from '../types/rule-page.ts';
import { type ParameterPath, parameterKey } from './parameter-path.ts';
import { ParameterRulesReader } from './parameter-rules.reader.ts';
import { ParameterRulesService } from './parameter-rules.service.ts';
import { presentRule } from './parameters.presenter.ts';
import type { ParameterKey } from './parameters.reader.ts';

interface Path extends ParameterPath {
  readonly id: string;
}

@Controller('projects/:project/parameters/:parameter/rules')
export class ParameterRulesController {
  constructor(
    private readonly reader: ParameterRulesReader,
    private readonly rules: ParameterRulesService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param() path: Path) {
    const query = parseListQuery(RuleListQuery, call);
    const { parameter, rules, revision } = await this.reader.rulesAt(parameterKey(call, path), query);
    const page = pageOfRules(rules, revision, query);
    return answer(
      call,
      revision,
      envelope(call, query, page, (rule) => presentRule(parameter, rule, call.links), ['type', 'id']),
    );
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    const key = parameterKey(call, path);
    const { result: id, revision } = await this.rules.create(call.caller, key, parseBody(ParameterRuleCreate, body));
    const made = await readBack(revision, this.reading(call, key, id));
    return created(call, made.revision, made.rule);
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param() path: Path) {
    const id = pathId('ParameterRule', path.id);
    const found = await this.reader.oneAt(parameterKey(call, path), id, parseQuery(RuleQuery, call.query));
    return answer(call, found.revision, presentRule(found.parameter, found.rule, call.links));
  }

  @Put(':id')
  @Requires('write_content')
  replace(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, path, parseBody(ParameterRuleUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, path, parseBody(ParameterRulePatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param() path: Path) {
    const key = parameterKey(call, path);
    const id = pathId('ParameterRule', path.id);
    const { revision } = await this.rules.remove(call.caller, key, id, this.precondition(call, key, id));
    removed(call, revision);
  }

  private async change(call: Call, path: Path, wish: RulePatch) {
    const key = parameterKey(call, path);
    const id = pathId('ParameterRule', path.id);
    const { revision } = await this.rules.change(call.caller, key, id, wish, this.precondition(call, key, id));
    const changed = await readBack(revision, this.reading(call, key, id));
    return answer(call, changed.revision, changed.rule);
  }

  private reading({ links }: Call, key: ParameterKey, id: Uuid) {
    return async (at: PointInTime, reader?: SnapshotReader) => {
      const { revision, parameter, rule } = await this.reader.one(key, id, at, reader);
      return { revision, rule: presentRule(parameter, rule, links) };
    };
  }

  private precondition(call: Call, key: ParameterKey, id: Uuid) {
    return ifMatch(call, async (reader) => (await this.reading(call, key, id)('now', reader)).rule);
  }
}
