import { type RunningCore, sharedCore } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('a secret that a client reads and writes back', () => {
  it('keeps its text if internal_value is missing, and has no text after an explicit null', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const parameter = await organization.parameter({ secret: true });
    const { url } = await organization.value({ parameter, internal_value: 'hunter2' });
    const { internal_value: shown, ...rest } = (await owner.get<Record<string, unknown>>(url)).body;

    expect(shown).toBeNull();
    expect(await owner.put(url, rest)).toMatchObject({ status: 200, body: { value: 'hunter2' } });
    expect(await owner.put(url, { ...rest, internal_value: null })).toMatchObject({
      status: 200,
      body: { value: null },
    });
  });
});
