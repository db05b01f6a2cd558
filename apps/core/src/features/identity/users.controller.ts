import { Controller, Delete, Get, Param } from '@nestjs/common';
import { UserListQuery } from '@strata/contract';
import type { UserId } from '@strata/domain';
import { Requires } from '../../platform/auth/requires.ts';
import { answer, removed } from '../../platform/http/answer.ts';
import { envelope, parseListQuery } from '../../platform/http/page.ts';
import { ifMatch } from '../../platform/http/precondition.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { MembershipsService } from './memberships.service.ts';
import { personId, presentUser } from './people.ts';
import { UsersReader } from './users.reader.ts';

@Controller('users')
export class UsersController {
  constructor(
    private readonly reader: UsersReader,
    private readonly memberships: MembershipsService,
  ) {}

  @Get()
  @Requires('read')
  async list(@CurrentCall() call: Call) {
    const query = parseListQuery(UserListQuery, call);
    const found = await this.reader.page(call.caller.organizationId, query);
    const page = envelope(call, query, found, (row) => presentUser(row, call.links));
    return answer(call, found.revision, page);
  }

  /** The caller. */
  @Get('current')
  @Requires('read')
  current(@CurrentCall() call: Call) {
    return this.show(call, call.caller.id);
  }

  @Get(':id')
  @Requires('read')
  retrieve(@CurrentCall() call: Call, @Param('id') id: string) {
    return this.show(call, personId('User', id));
  }

  /** Leaves this organization; somebody who belongs to no other one is forgotten. Only for the caller's own user. */
  @Delete(':id')
  @Requires('read')
  async remove(@CurrentCall() call: Call, @Param('id') id: string) {
    const key = personId('User', id);
    const precondition = ifMatch(call, async (reader) =>
      presentUser((await this.reader.one(call.caller.organizationId, key, reader)).row, call.links),
    );
    const { revision } = await this.memberships.leave(call.caller, key, precondition);
    removed(call, revision);
  }

  private async show(call: Call, id: UserId) {
    const { revision, row } = await this.reader.one(call.caller.organizationId, id);
    return answer(call, revision, presentUser(row, call.links));
  }
}
