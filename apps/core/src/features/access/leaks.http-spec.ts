import type { Page, Parameter, Project, Push, Template } from '@strata/contract';
import type { Role } from '@strata/domain';
import { type RawClient, type RunningCore, requestHeaders, sharedCore } from '@strata/testkit';
import { createForbiddenContent, findLeaks, MARK } from '../../testing/forbidden-content.ts';
import { createGrant, createMember } from '../../testing/members.ts';

/**
 * Tries what an attacker without a grant could do, as a member of the same organization or as the owner of another one.
 * Any member may know that a controlled scope exists, and its name. Requests for its contents return 403 before
 * anything is looked up. All other responses leave them out, and no error names them.
 */
/** Errors as data must not say more than the sentences. */
const ERRORS_AS_DATA = { accept: 'application/problem+json' };

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

describe('the contents of controlled scopes', () => {
  it('are returned by no path and no query to a caller without access or to another organization', async () => {
    const at = await createForbiddenContent(core);
    const outsider = (await core.organization()).as('OWNER');
    const everything = { ...at, hidden: [...at.hidden, ...Object.values(at.ids).flat()] };

    expect(await findLeaks(at.organization.as('CONTRIB'), at)).toEqual([]);
    expect(await requestHeaders.run(ERRORS_AS_DATA, () => findLeaks(at.organization.as('CONTRIB'), at))).toEqual([]);
    expect(await findLeaks(outsider, everything, 2)).toEqual([]);
    expect((await findLeaks(at.organization.as('ADMIN'), at, 1)).length).toBeGreaterThan(20);
  });

  it('return byte for byte the same response as objects that do not exist', async () => {
    const { organization, closed, production, parameter, tag, open, mine } = await createForbiddenContent(core);
    const viewer = organization.as('VIEWER');
    const never = '00000000-0000-4000-8000-000000000000';
    const nothing = encodeURIComponent('no such tag');
    const tagName = encodeURIComponent(tag.name);
    for (const [existing, missing] of [
      [parameter.url, `${closed.url}parameters/${never}/`],
      [tag.url, `${production.url}tags/${never}/`],
      [`${open.url}parameters/${parameter.id}/`, `${open.url}parameters/${never}/`],
      [`${open.url}parameters/${parameter.id}/timeline/`, `${open.url}parameters/${never}/timeline/`],
      ...[`${open.url}parameters/`, mine.url, 'projects/', 'environments/', 'types/', `${open.url}effective/`].map(
        (path) => [`${path}?environment=production&tag=${tagName}`, `${path}?environment=production&tag=${nothing}`],
      ),
      [
        `${open.url}parameters/duality/?environment=production&t1_tag=${tagName}`,
        `${open.url}parameters/duality/?environment=production&t1_tag=${nothing}`,
      ],
    ] as const) {
      const [forExisting, forMissing] = [await viewer.get(existing as string), await viewer.get(missing as string)];
      expect([existing, forExisting.status, forExisting.text]).toEqual([existing, forMissing.status, forMissing.text]);
      expect([403, 404]).toContain(forExisting.status);
    }
  });

  it('cannot be found by referring to them: an existing name is rejected like an unknown one', async () => {
    const { organization, open, parameter, mine, staging } = await createForbiddenContent(core);
    const author = organization.as('CONTRIB');
    const text = (name: string) => `{{ strata.projects.closed.parameters['${name}'] }}`;
    for (const request of [
      (body: string) => author.post(`${open.url}template-preview/`, { body }),
      (body: string) => author.post(`${open.url}templates/`, { name: 'probe', body }),
      (body: string) =>
        author.post(`${mine.url}values/`, { environment: staging.url, internal_value: body, interpolated: true }),
    ]) {
      for (const headers of [{}, ERRORS_AS_DATA]) {
        const [forExisting, forMissing] = await requestHeaders.run(headers, () =>
          Promise.all([request(text(parameter.name)), request(text('no such parameter'))]),
        );
        expect(forExisting).toMatchObject({ status: 403, body: { detail: expect.stringContaining('closed') } });
        expect([forExisting.status, forExisting.text]).toEqual([forMissing.status, forMissing.text]);
      }
    }
  });

  it('cannot be read at a time when an open project depended on them', async () => {
    const { organization, open, closed, parameter } = await createForbiddenContent(core);
    const child = await organization.project({ name: 'child', depends_on: closed.url });
    const { created_at: then } = child;
    await organization.owner.patch(child.url, { depends_on: null });
    const preview = (as: Role, name: string) =>
      organization.as(as).post(`${open.url}template-preview/?as_of=${then}`, {
        body: `{{ strata.projects.child.parameters['${name}'] }}`,
      });

    const [forExisting, forMissing] = [
      await preview('VIEWER', parameter.name),
      await preview('VIEWER', 'no such parameter'),
    ];
    expect([forExisting.status, forExisting.text]).toEqual([403, forMissing.text]);
    expect(await preview('ADMIN', parameter.name)).toMatchObject({ status: 200, body: { body: `${MARK} value` } });
  });

  it('are not named by errors of evaluating texts', async () => {
    const { organization, open, closed, dynamic, spy } = await createForbiddenContent(core);
    const qa = await organization.environment({ name: 'qa' });
    const path = `${open.url}templates/?environment=qa&evaluate=true`;
    await organization.owner.patch(spy.url, { body: `{{ strata.projects.closed.parameters['${dynamic.name}'] }}` });
    const long = await organization.parameter({ project: closed, name: 'long' });
    const fits = await organization.value({ parameter: long, internal_value: 'short' });
    await organization.value({
      parameter: dynamic,
      environment: qa,
      internal_value: '{{ long }}'.repeat(20),
      interpolated: true,
    });
    await organization.owner.patch(fits.url, { internal_value: 'x'.repeat(65_000) });

    expect(await organization.as('ADMIN').get(path)).toMatchObject({
      status: 422,
      body: { detail: [{ parameter_name: dynamic.name }] },
    });
    expect(await organization.as('VIEWER').get<Page<Template>>(path)).toMatchObject({
      status: 200,
      body: { results: [{ body: '*****', has_secret: true }] },
    });
  });

  it('are not linked from any response', async () => {
    const { organization, open, closed, parameter, mine, spy } = await createForbiddenContent(core);
    const root = await organization.environmentNamed('default');
    await organization.owner.patch(spy.url, { body: `{{ strata.projects.closed.parameters['${parameter.name}'] }}` });
    const secondParameter = await organization.parameter({ project: open, name: 'other' });
    await organization.value({
      parameter: secondParameter,
      internal_value: `{{ strata.parameters.mine }}{{ strata.projects.closed.parameters['${parameter.name}'] }}`,
      interpolated: true,
      environment: root,
    });
    const read = async (as: Role) => ({
      template: (await organization.as(as).get<Template>(spy.url)).body,
      value: (await organization.as(as).get<Parameter>(`${secondParameter.url}?environment=default`)).body.values[
        root.url
      ],
    });

    const response = await read('ADMIN');
    expect(response.template).toMatchObject({
      referenced_projects: [closed.url],
      referenced_parameters: [parameter.url],
    });
    expect(response.value?.referenced_parameters).toEqual([mine.url, parameter.url]);
    const unmentioned = await read('VIEWER');
    expect(unmentioned.template).toMatchObject({ referenced_projects: [], referenced_parameters: [], parameters: [] });
    expect(unmentioned.value).toMatchObject({
      referenced_projects: [],
      referenced_parameters: [mine.url],
      value: '*****',
    });
  });

  it('can be copied into an open project only by an owner of the controlled one', async () => {
    const { organization, open, closed, parameter } = await createForbiddenContent(core);
    const childProject = await organization.project({ depends_on: closed.url });
    const [writer, owner] = [await createMember(core, organization), await createMember(core, organization)];
    await createGrant(organization, writer.url, closed.url, 'CONTRIB');
    await createGrant(organization, owner.url, closed.url, 'OWNER');
    const copy = ({ client }: { client: RawClient }, to: Project) =>
      client.post(`${parameter.url}copy/`, { name: 'copy', project: to.url });

    const response = await copy(writer, open);
    expect(response).toMatchObject({ status: 403, body: { detail: expect.stringContaining('OWNER') } });
    expect(response.headers['x-error-code']).toBe('copy_would_open');
    expect(await copy(writer, childProject)).toMatchObject({ status: 201 });
    expect(await copy(writer, closed)).toMatchObject({ status: 201 });
    expect(await copy(owner, open)).toMatchObject({ status: 201 });
  });

  it('are not revealed by the past of a project that depended on them', async () => {
    const { organization, closed, parameter } = await createForbiddenContent(core);
    const child = await organization.project({ depends_on: closed.url });
    const revision = (await organization.owner.get(child.url)).headers['x-revision'];
    await organization.owner.patch(child.url, { depends_on: null });
    const path = `${child.url}parameters/${parameter.id}/timeline/?revision=${revision}`;
    const instant = (await organization.owner.get<Project>(child.url)).body.created_at;

    for (const query of [path, `${child.url}parameters/${parameter.id}/timeline/?as_of=${instant}`]) {
      expect(await organization.as('VIEWER').get(query)).toMatchObject({ status: 403 });
    }
    expect(
      (await organization.as('ADMIN').get(`${child.url}parameters/${parameter.id}/timeline/?as_of=${instant}`)).status,
    ).toBe(200);
  });

  it('do not appear in a push, which shows neither their tags nor the steps that write them', async () => {
    const { organization, open, production, tag, ids } = await createForbiddenContent(core);
    const push = `integrations/aws/${ids.aws?.[0]}/pushes/${ids.pushes?.[0]}/`;

    expect((await organization.as('ADMIN').get<Push>(push)).body.tags).toEqual([tag.url]);
    expect((await organization.as('VIEWER').get<Push>(push)).body).toMatchObject({ projects: [open.url], tags: [] });
    expect((await organization.as('VIEWER').get(`${production.url}pushes/`)).status).toBe(403);
  });
});
