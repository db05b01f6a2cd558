import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

it('what was asked for a moment ago is answered without reading a row but the head', async () => {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'host' });
  const value = await organization.value({ parameter });
  const paths = [
    `${project.url}parameters/?environment=production`,
    `${project.url}parameters/`,
    parameter.url,
    `${parameter.url}values/`,
    value.url,
    `${project.url}effective/?environment=production`,
    'effective/?project=shop&environment=production&environment=default',
  ];
  for (const path of paths) await organization.owner.get(path);
  core.statements();
  for (const path of paths) expect((await organization.owner.get(path)).status).toBe(200);
  expect(
    core.statements().filter((text) => !/^select organization_id as id, epoch, revision/.test(text.trim())),
  ).toEqual([]);

  // a write elsewhere is looked at once, and what it does not show in is sent as it is
  await organization.value({ parameter: await organization.parameter() });
  await organization.value({ parameter: await organization.parameter(), internal_value: 'another' });
  for (const path of paths) await organization.owner.get(path);
  const other = await organization.value({ parameter: await organization.parameter() });
  for (const path of paths) await organization.owner.get(path);
  await organization.owner.patch(other.url, { internal_value: 'changed' });
  core.statements();
  for (const path of paths.filter((path) => path !== value.url)) await organization.owner.get(path);
  const said = core.statements().filter((text) => !/^select organization_id as id, epoch, revision/.test(text.trim()));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain('from change c');
});
