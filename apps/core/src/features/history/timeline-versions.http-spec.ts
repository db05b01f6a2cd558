import type { ParameterTimeline, ParameterTimelineEntry, Value } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createMember } from '../../testing/members.ts';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

async function timeline(url: string, query = 'versions=true', client = organization.owner) {
  const { body, text } = await client.get<ParameterTimeline>(`${url}timeline/?${query}`);
  return { entries: body.results, text };
}

const ofValues = (entries: readonly ParameterTimelineEntry[]) =>
  entries.filter(({ history_model: model }) => model === 'Value').map(({ history_versions: versions }) => versions);

describe('a timeline of a parameter that includes versions', () => {
  it('contains the old and the new version of each value change, and the version for a precondition', async () => {
    const parameter = await organization.parameter({ name: 'PORT' });
    const first = await organization.value({ parameter, internal_value: '1' });
    const second = (await organization.owner.patch<Value>(first.url, { internal_value: '2' })).body;
    const { headers } = await organization.owner.delete(first.url);
    const { entries } = await timeline(parameter.url);

    const state = (ledger_id: string, text: string) => ({ ledger_id, text, interpolated: false, secret: false });
    const [firstState, secondState] = [state(first.ledger_id, '1'), state(second.ledger_id, '2')];
    const revision = Number(headers['x-revision']);
    const location = { object_id: first.id, environment_id: first.environment_id, environment_name: 'default' };
    expect(ofValues(entries)).toEqual([
      { ...location, revision, before: secondState, after: null },
      { ...location, revision: revision - 1, before: firstState, after: secondState },
      { ...location, revision: revision - 2, before: null, after: firstState },
    ]);
  });

  it('contains versions of the parameter and its rules, dynamic texts as stored, and an explicit null', async () => {
    const { owner } = organization;
    const project = await organization.project();
    const host = await organization.parameter({ project, name: 'HOST' });
    const rule = (await owner.post<{ url: string }>(`${host.url}rules/`, { type: 'max_len', constraint: '64' })).body;
    await owner.patch(rule.url, { constraint: '65' });
    const value = await organization.value({ parameter: host, internal_value: null });
    await organization.parameter({ project, name: 'NAME' });
    await owner.patch(value.url, { internal_value: 'a-{{ NAME }}', interpolated: true });
    const { entries } = await timeline(host.url);

    expect(entries.map(({ history_model: model, history_type: type }) => `${type} ${model}`)).toEqual([
      'update Value',
      'create Value',
      'update ParameterRule',
      'create ParameterRule',
      'create Parameter',
    ]);
    const [dynamic, empty, changed, createdVersions, ownVersions] = entries.map(
      ({ history_versions: versions }) => versions,
    );
    expect(dynamic).toMatchObject({ before: { text: null }, after: { text: 'a-{{ NAME }}', interpolated: true } });
    expect(empty).toMatchObject({ before: null, after: { text: null, ledger_id: value.ledger_id } });
    expect(changed).toMatchObject({ before: { ledger_id: createdVersions?.after?.ledger_id, text: null } });
    expect(ownVersions).toMatchObject({
      object_id: host.id,
      before: null,
      after: { ledger_id: host.ledger_id, text: null },
    });
  });

  it('contains no text of a secret', async () => {
    const parameter = await organization.parameter({ secret: true });
    const value = await organization.value({ parameter, internal_value: 'hunter2' });
    await organization.owner.patch(value.url, { internal_value: 'hunter3' });
    const { entries, text } = await timeline(parameter.url);

    expect(text).not.toContain('hunter');
    expect(ofValues(entries)[0]).toMatchObject({
      before: { text: '*****', secret: true, ledger_id: value.ledger_id },
      after: { text: '*****', secret: true },
    });
  });

  it('contains nothing of a value in a forbidden environment, even where descendants inherit it', async () => {
    const parentEnvironment = await organization.environment({ name: 'above' });
    await organization.environment({ name: 'below', parent: parentEnvironment.url });
    const parameter = await organization.parameter();
    await organization.value({ parameter, environment: parentEnvironment, internal_value: 'hush' });
    await organization.owner.patch(parentEnvironment.url, { access_controlled: true });
    const { client } = await createMember(core, organization);

    const { entries, text } = await timeline(parameter.url, 'versions=true', client);
    expect(text).not.toContain('hush');
    expect(ofValues(entries)).toEqual([null]);
    expect(ofValues((await timeline(parameter.url)).entries)).toMatchObject([{ after: { text: 'hush' } }]);
  });

  it('stays the same unless versions are requested', async () => {
    const parameter = await organization.parameter();
    await organization.value({ parameter });
    const { entries, text } = await timeline(parameter.url, '');

    expect(entries).toHaveLength(2);
    expect(text).not.toContain('history_versions');
  });
});
