import { type ConsoleLogger, Logger } from '@nestjs/common';
import type { OrganizationId } from '@strata/domain';
import { RootKey } from '../vault/root-key.ts';
import { ServiceKeys } from '../vault/service-keys.ts';
import { compareHeads, Standby } from './standby.ts';
import { requiredState } from './standby-rows.ts';
import { TenantTokens } from './tenants.ts';

const HEAD = { epoch: 'e', revision: 7, at: '2026-11-20T10:00:00.000000Z' };

describe('the head of a standby', () => {
  it.each([
    ['equal', HEAD],
    ['behind', undefined],
    ['behind', { ...HEAD, revision: 6 }],
    ['behind', { ...HEAD, epoch: 'before a restore', revision: 8 }],
    ['ahead', { ...HEAD, revision: 8 }],
    ['diverged', { ...HEAD, at: '2026-11-20T10:00:00.000001Z' }],
  ])('is %s', (comparison, standbyHead) => {
    expect(compareHeads(standbyHead, HEAD)).toBe(comparison);
  });
});

describe('a statement', () => {
  it.each([
    ['revision', `select head.revision from organization_head head join value_history value on value.text = 'session'`],
    ['log', 'select person.name from change, person where change.organization_id = $1'],
    ['primary', 'select change.id from change join access_log log on true'],
    ['primary', 'select 1'],
  ])('needs the state: %s', (state, statement) => {
    expect(requiredState(statement)).toBe(state);
  });
});

describe('a standby that cannot be reached', () => {
  it('is reported once without its credentials, and not tried again at once', async () => {
    const lines: string[] = [];
    const record = (line: string) => void lines.push(line);
    Logger.overrideLogger({ log: record, warn: record, error: record } as unknown as ConsoleLogger);
    const standby = new Standby(
      'postgres://strata:hunter2@127.0.0.1:1/strata',
      1,
      new TenantTokens(ServiceKeys.derive(new RootKey(Buffer.alloc(32)))),
    );
    const head = { ...HEAD, logEnd: null, timeline: null };
    const read = () =>
      standby.read({ organizationId: 'o' as OrganizationId, head, needsLog: false }, { text: 'select 1', values: [] });

    expect([standby.isUsable(), await read(), standby.isUsable()]).toEqual([true, 'unreachable', false]);
    expect(await read()).toBe('unreachable');
    expect(lines).toEqual(['The standby 127.0.0.1:1 is not used: it cannot be reached.']);
    await standby.close();
  });
});
