import type { Parameter, Value } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createExplainFixture, type ExplainFixture, explain, readRevision } from '../../testing/explain.ts';
import { createGrant, createMember, type TestMember } from '../../testing/members.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const ANSWER = 'what nobody may find out';

interface Trial extends ExplainFixture {
  /** May write in `web`, but may not read any forbidden scope. */
  readonly attacker: TestMember;
}

/**
 * Creates an attacker who may write in `web`, which has its own access control. Once `base` or `production` are
 * forbidden, the attacker may not read them.
 */
async function trial(): Promise<Trial> {
  const fixture = await createExplainFixture(core);
  return { ...fixture, attacker: await createMember(core, fixture.organization, 'CONTRIB') };
}

async function close({ organization, base, web, production, attacker }: Trial): Promise<void> {
  const { owner } = organization;
  for (const scope of [base, web, production]) {
    expect((await owner.patch(scope.url, { access_controlled: true })).status).toBe(200);
  }
  expect((await createGrant(organization, attacker.url, web.url, 'CONTRIB')).status).toBe(201);
}

/** Returns what the attacker learns about the latest change by setting a text in canary and deleting it again. */
async function learned({ organization, web, canary, attacker }: Trial, parameter: Parameter, guess: string) {
  const latestChange = async () => {
    const revision = await readRevision(organization);
    const query = `environment=canary&name=${parameter.name}&mask_secrets=true`;
    const alone = (await explain(attacker.client, web, query)).since;
    const inList = (
      await explain(attacker.client, web, `environment=canary&name__iexact=${parameter.name}&include=since`)
    ).since;
    expect(inList).toEqual(alone);
    return { isNow: alone?.revision === revision, exact: alone?.exact, action: alone?.action };
  };
  const body = { environment: canary.url, internal_value: guess };
  const response = await attacker.client.post<Value>(`${web.url}parameters/${parameter.id}/values/`, body);
  expect([response.status, response.status === 201 ? '' : response.text]).toEqual([201, '']);
  const set = await latestChange();
  expect((await attacker.client.delete(response.body.url)).status).toBe(204);
  return { set, deleted: await latestChange() };
}

const CASES: Readonly<Record<string, (at: Trial) => Promise<Parameter>>> = {
  'a text of a forbidden project in a forbidden environment': async ({ organization, base, web, production }) => {
    const parameter = await organization.parameter({ project: base, name: 'plain' });
    await organization.value({ parameter, environment: production, internal_value: ANSWER });
    return organization.parameter({ project: web, name: 'plain' });
  },
  'a secret of an open project': async ({ organization, web, root }) => {
    const parameter = await organization.parameter({ project: web, name: 'token', secret: true });
    await organization.value({ parameter, environment: root, internal_value: ANSWER });
    return parameter;
  },
  'a text that depends on a secret': async ({ organization, web, root }) => {
    const secret = await organization.parameter({ project: web, name: 'secret', secret: true });
    await organization.value({ parameter: secret, environment: root, internal_value: ANSWER });
    const parameter = await organization.parameter({ project: web, name: 'tainted' });
    const text = { internal_value: '{{ secret }}', interpolated: true };
    await organization.value({ parameter, environment: root, ...text });
    return parameter;
  },
  'a text that refers to a forbidden project': async ({ organization, web, root }) => {
    const vault = await organization.project({ name: 'vault' });
    const inside = await organization.parameter({ project: vault, name: 'inside' });
    await organization.value({ parameter: inside, environment: root, internal_value: ANSWER });
    const parameter = await organization.parameter({ project: web, name: 'outside' });
    const text = { internal_value: '{{ strata.projects.vault.parameters.inside }}', interpolated: true };
    await organization.value({ parameter, environment: root, ...text });
    expect((await organization.owner.patch(vault.url, { access_controlled: true })).status).toBe(200);
    return parameter;
  },
  'a text that inherits a reference from a forbidden environment': async ({ organization, web, production }) => {
    const inside = await organization.parameter({ project: web, name: 'inside' });
    await organization.value({ parameter: inside, environment: production, internal_value: ANSWER });
    const parameter = await organization.parameter({ project: web, name: 'needing' });
    await organization.value({ parameter, internal_value: '{{ inside }}', interpolated: true });
    return parameter;
  },
};

it.each(Object.keys(CASES))(
  '%s cannot be guessed, because every attempt counts as a change, right or wrong',
  async (which) => {
    const at = await trial();
    const parameter = await (CASES[which] as (typeof CASES)[string])(at);
    await close(at);

    const right = await learned(at, parameter, ANSWER);
    const wrong = await learned(at, parameter, 'something else');

    expect(right).toEqual(wrong);
    expect(right.set).toEqual({ isNow: true, exact: true, action: 'create' });
    expect(right.deleted.isNow).toBe(true);
  },
);

it('texts in open scopes are compared, even for callers who may not read the forbidden scopes', async () => {
  const at = await trial();
  const { organization, web, production } = at;
  const parameter = await organization.parameter({ project: web, name: 'open' });
  await organization.value({ parameter, environment: production, internal_value: ANSWER });

  expect((await learned(at, parameter, ANSWER)).set.isNow).toBe(false);
  expect((await learned(at, parameter, 'something else')).set.isNow).toBe(true);
});

it('a hidden text counts as changed for every caller whenever one of its inputs was set, even to the same text', async () => {
  const at = await trial();
  const { organization, web, root, attacker } = at;
  const { owner } = organization;
  const secret = await organization.parameter({ project: web, name: 'secret', secret: true });
  const value = await organization.value({ parameter: secret, environment: root, internal_value: ANSWER });
  const tainted = await organization.parameter({ project: web, name: 'tainted' });
  await organization.value({ parameter: tainted, internal_value: '{{ secret }}', interpolated: true });
  await close(at);
  const readRevisions = async (name: string) =>
    Promise.all(
      [owner, attacker.client].map(async (client) => {
        const query = `environment=canary&name=${name}&mask_secrets=true`;
        return (await explain(client, web, query)).since?.revision;
      }),
    );

  for (const text of [ANSWER, 'another', ANSWER]) {
    await owner.patch(value.url, { internal_value: text });
    const revision = await readRevision(organization);
    expect([text, await readRevisions('secret'), await readRevisions('tainted')]).toEqual([
      text,
      [revision, revision],
      [revision, revision],
    ]);
  }
});

it('renaming an environment reveals whether a text contains its name only to callers who may read the text', async () => {
  const at = await trial();
  const { organization, web, root, canary, attacker } = at;
  const secret = await organization.parameter({ project: web, name: 'secret', secret: true });
  await organization.value({ parameter: secret, environment: root, internal_value: ANSWER });
  for (const [name, text] of [
    ['saying', '{{ secret }} {{ strata.environment }}'],
    ['silent', '{{ secret }}'],
  ] as const) {
    const parameter = await organization.parameter({ project: web, name });
    await organization.value({ parameter, internal_value: text, interpolated: true });
  }
  const movedByRenaming = async (newName: string) => {
    await organization.owner.patch(canary.url, { name: newName });
    const revision = await readRevision(organization);
    const names: string[] = [];
    for (const name of ['saying', 'silent']) {
      const { since: readRevisions } = await explain(
        attacker.client,
        web,
        `environment=${newName}&name=${name}&mask_secrets=true`,
      );
      if (readRevisions?.revision === revision && readRevisions.object_type === 'Environment') names.push(name);
    }
    return names;
  };

  expect(await movedByRenaming('canary-2')).toEqual(['saying']);
  await close(at);
  expect(await movedByRenaming('canary-3')).toEqual(['saying', 'silent']);
});
