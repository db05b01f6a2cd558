import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ImportQuery, ImportRequest, parseBody, parseQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { answer } from '../../platform/http/answer.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { Backups } from './backups.ts';
import { Imports } from './imports.ts';

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
    return answer({ ...call, headers: {} }, revision, { parameter: result });
  }

  /** Secrets are in it, so no cache may keep it. */
  @Post('backup/snapshot')
  @HttpCode(200)
  @Requires('back_up')
  async snapshot(@CurrentCall() call: Call) {
    const { revision, body } = await this.backups.snapshot(call.caller);
    call.reply.header('cache-control', 'no-store');
    return answer({ ...call, headers: {} }, revision, body);
  }
}
