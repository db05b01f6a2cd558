import { Body, Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import {
  ParameterTypeRuleCreate,
  ParameterTypeRulePatch,
  ParameterTypeRuleUpdate,
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
import { Moments, missing } from '../../platform/http/moment.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { readBack } from '../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { presentTypeRule } from './present.ts';
import { pageOfRules } from './rule-page.ts';
import { type TypeRuleKey, TypeRulesService } from './type-rules.service.ts';
import { TypesReader } from './types.reader.ts';

interface Path {
  readonly type: string;
  readonly id: string;
}

@Controller('types/:type/rules')
export class TypeRulesController {
  constructor(
    private readonly reader: TypesReader,
    private readonly rules: TypeRulesService,
    private readonly moments: Moments,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call, @Param('type') type: string) {
    const query = parseListQuery(RuleListQuery, call);
    const typeId = pathId('ParameterType', type);
    const { organizationId } = call.caller;
    const at = await this.moments.of(call.caller, query);
    const { row, revision } = await this.reader.one(organizationId, typeId, at);
    const page = pageOfRules(row.rules, revision, query);
    return answer(
      call,
      revision,
      envelope(call, query, page, (rule) => presentTypeRule(typeId, rule, call.links), ['type', 'id']),
    );
  }

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param('type') type: string, @Body() body: unknown) {
    const typeId = pathId('ParameterType', type);
    const wish = parseBody(ParameterTypeRuleCreate, body);
    const { result: id, revision } = await this.rules.create(call.caller, typeId, wish);
    const made = await readBack(revision, this.reading(call, { typeId, id }));
    return created(call, made.revision, made.rule);
  }

  @Get(':id')
  @Requires('read')
  async retrieve(@CurrentCall() call: Call, @Param() path: Path) {
    const at = await this.moments.of(call.caller, parseQuery(RuleQuery, call.query));
    const { rule, revision } = await this.reading(call, keyOf(path))(at);
    return answer(call, revision, rule);
  }

  @Put(':id')
  @Requires('write_content')
  replace(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, keyOf(path), parseBody(ParameterTypeRuleUpdate, body));
  }

  @Patch(':id')
  @Requires('write_content')
  update(@CurrentCall() call: Call, @Param() path: Path, @Body() body: unknown) {
    return this.change(call, keyOf(path), parseBody(ParameterTypeRulePatch, body));
  }

  @Delete(':id')
  @Requires('write_content')
  async remove(@CurrentCall() call: Call, @Param() path: Path) {
    const key = keyOf(path);
    const { revision } = await this.rules.remove(call.caller, key, this.precondition(call, key));
    removed(call, revision);
  }

  private async change(call: Call, key: TypeRuleKey, wish: RulePatch) {
    const { revision } = await this.rules.change(call.caller, key, wish, this.precondition(call, key));
    const changed = await readBack(revision, this.reading(call, key));
    return answer(call, changed.revision, changed.rule);
  }

  private reading({ caller, links }: Call, { typeId, id }: TypeRuleKey) {
    return async (at: PointInTime, reader?: SnapshotReader) => {
      const { row, revision } = await this.reader.one(caller.organizationId, typeId, at, reader);
      const found = row.rules.find((rule) => rule.id === id);
      if (!found) throw missing('ParameterTypeRule', at);
      return { revision, rule: presentTypeRule(typeId, found, links) };
    };
  }

  private precondition(call: Call, key: TypeRuleKey) {
    return ifMatch(call, async (reader) => (await this.reading(call, key)('now', reader)).rule);
  }
}

function keyOf({ type, id }: Path): { typeId: Uuid; id: Uuid } {
  return { typeId: pathId('ParameterType', type), id: pathId('ParameterTypeRule', id) };
}
