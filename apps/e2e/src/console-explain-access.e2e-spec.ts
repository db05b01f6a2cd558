import type { Grant, Group, ServiceAccountCreated } from '@strata/contract';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

describe(`explanations of access in the console${reason}`, () => {
  journey('show who has access to a project now and earlier, and the grant that decides', async () => {
    const organization = await core().organization();
    const project = await organization.project({ name: 'shop' });
    await organization.owner.patch(project.url, { access_controlled: true });
    const account = { name: 'deployer', role: 'VIEWER' };
    const { body } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', account);
    const group = await organization.owner.post<Group>('groups/', { name: 'Operators', users: [body.user.url] });
    const input = { principal: group.body.url, scope: project.url, role: 'CONTRIB' };
    const grant = await organization.owner.post<Grant>('grants/', input);
    const revision = grant.headers['x-revision'];
    const person = await signedIn(organization, '/access', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('link', { name: 'Explain access' }).click();
    await page.getByText('Choose a project.', { exact: true }).waitFor();
    await page.getByLabel('Project', { exact: true }).selectOption('shop');
    const row = page.getByRole('row').filter({ hasText: 'deployer' });
    await row.getByText('contributor by a grant to Operators', { exact: true }).waitFor();
    await row.getByText('Read, write, reveal secrets', { exact: true }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);

    await organization.owner.delete(grant.body.url);
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('User', { exact: true }).selectOption({ label: 'deployer' });
    await row.getByText('None', { exact: true }).waitFor();
    await row.getByText('Restricted by shop: no grant', { exact: true }).waitFor();
    await person.open(`/access/explain?project=shop&at=r${revision}`);
    await row.getByText('contributor by a grant to Operators', { exact: true }).waitFor();
  });

  journey('are not offered to members who are no admins', async () => {
    const organization = await core().organization();
    const { page } = await signedIn(organization, '/access/explain', { role: 'CONTRIB' });
    await page.getByText('Only admins and owners can see who has access').waitFor();
    expect(await page.getByLabel('Project', { exact: true }).count()).toBe(0);
  });
});
