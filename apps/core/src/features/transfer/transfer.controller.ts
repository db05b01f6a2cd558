import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ImportQuery, ImportRequest, parseBody, parseQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { longAnswer } from '../../platform/http/answer.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { Backups } from './backups.ts';
import { Imports } from './imports.ts';

/** Projects, one project, its parameters, one parameter. */
const MEMBERS_OF_A_SNAPSHOT = 4;

@Controller()
export class TransferController {
  constructor(
    private readonly imports: Imports,
    private readonly backups: Backups,
  ) {}

  @Post('import')
  @Requires('write_content')
  async import(@CurrentCall() call: Call, @Body() body: unknown) {
    const query = parseQuery(ImportQuery, call.query);
    const { result, revision } = await this.imports.run(call.caller, parseBody(ImportRequest, body), query);
    return longAnswer(call, revision, { parameter: result });
  }

  /** Secrets are in it, so no cache may keep it. */
  @Post('backup/snapshot')
  @HttpCode(200)
  @Requires('back_up')
  async snapshot(@CurrentCall() call: Call) {
    const { revision, body } = await this.backups.snapshot(call.caller);
    call.reply.header('cache-control', 'no-store');
    return longAnswer(call, revision, body, MEMBERS_OF_A_SNAPSHOT);
  }
}
