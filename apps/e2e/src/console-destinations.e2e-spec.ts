import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Destination, DestinationCreated, Page } from '@strata/contract';
import { type OwnCore, startCore, type TestOrganization } from '@strata/testkit';
import type { Page as BrowserPage } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';

/** An endpoint that receives messages. Each test uses a path of its own. */
interface Receiver {
  readonly origin: string;
  /** The status of the responses, by path; 204 by default. */
  readonly statuses: Map<string, number>;
  messages(path: string): readonly { readonly id: string; readonly signatures: number }[];
}

const received: { readonly path: string; readonly id: string; readonly signatures: number }[] = [];
const statuses = new Map<string, number>();
const server = http.createServer((request, response) => {
  const { url = '', headers } = request;
  request.resume();
  const signatures = String(headers['webhook-signature'] ?? '').split(' ').length;
  received.push({ path: url, id: String(headers['webhook-id']), signatures });
  response.writeHead(statuses.get(url) ?? 204).end();
});
let receiver: Receiver;
let ownCore: OwnCore;
const { journey, reason, core, signedIn } = await setUpConsoleTests(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  receiver = { origin, statuses, messages: (path) => received.filter((message) => message.path === path) };
  ownCore = await startCore({ STRATA_PRIVATE_DESTINATIONS: 'true' });
  return ownCore;
});
afterAll(async () => {
  await ownCore?.close();
  server.close();
});

const newPath = () => `/${randomUUID().slice(0, 8)}`;

async function createDestination(organization: TestOrganization, path: string): Promise<Destination> {
  const { body, status, text } = await organization.owner.post<DestinationCreated>('destinations/', {
    name: 'deploys',
    type: 'http',
    event_types: ['project_created'],
    address: `${receiver.origin}${path}`,
  });
  if (status !== 201) throw new Error(text);
  return body;
}

const main = (page: BrowserPage) => page.getByRole('main');

describe(`destinations in the console${reason}`, () => {
  journey('are created, show their secret once, and receive a test message', async () => {
    const organization = await core().organization();
    const path = newPath();
    const person = await signedIn(organization, '/webhooks', { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('link', { name: 'Create destination' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Deploys');
    await page.getByLabel('URL').fill(`${receiver.origin}${path}`);
    await page.getByRole('checkbox', { name: 'Tags updated' }).check();
    await page.getByRole('checkbox', { name: 'Values that expire soon' }).check();
    await page.getByLabel('Environments', { exact: true }).selectOption('only');
    await page.getByRole('checkbox', { name: 'production', exact: true }).check();
    await page.getByLabel('Parameter names').fill('DATABASE_*');
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Create destination' }).dblclick();

    await page.getByText('You won’t see it again.').waitFor();
    const secret = (await page.getByText(/^whsec_/).textContent()) ?? '';
    expect(secret).toMatch(/^whsec_.{20,}/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'Deploys' }).waitFor();
    await page.getByText('values created, updated, deleted; tags updated; reminders before values expire').waitFor();
    await page.getByText('Only 1 environment, 1 name').waitFor();
    expect(await person.everythingReadable()).not.toContain(secret);
    expect(await person.everythingReadable()).not.toContain(path);
    await page.getByRole('button', { name: 'Send test message' }).click();
    await main(page).getByText('Delivered to').waitFor();

    expect(receiver.messages(path)).toEqual([{ path, id: expect.any(String), signatures: 1 }]);
    const { body } = await organization.owner.get<Page<Destination>>('destinations/');
    expect(body).toMatchObject({
      count: 1,
      results: [{ name: 'Deploys', parameter_names: ['DATABASE_*'], expiry_days: [14, 7, 1], projects: [] }],
    });
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByText('Last message delivered').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('have the fields of their type, and show errors at these fields', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/destinations/new', { role: 'ADMIN' });
    const { page } = person;
    await page.getByLabel('Type', { exact: true }).selectOption('email');
    expect(await page.getByLabel('Signature').count()).toBe(0);
    await page.getByLabel('Name', { exact: true }).fill('On call');
    await page.getByLabel('Recipients').fill('nobody');
    await page.getByRole('button', { name: 'Create destination' }).click();
    await page.getByRole('alert').filter({ hasText: 'Enter an e-mail address' }).waitFor();
    await page.getByLabel('Recipients').fill('ops@example.com');
    await page.getByRole('button', { name: 'Create destination' }).click();
    await page.getByText('This installation sends no e-mail').first().waitFor();
    await page.getByLabel('Type', { exact: true }).selectOption('teams');
    expect(await page.getByLabel('Workflow URL').getAttribute('aria-invalid')).toBeNull();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect((await organization.owner.get<Page<Destination>>('destinations/')).body.count).toBe(0);
  });

  journey('keep a changed filter, and the stored address if the field stays empty', async () => {
    const organization = await core().organization();
    const path = newPath();
    const destination = await createDestination(organization, path);
    const person = await signedIn(organization, `/destinations/${destination.id}/change`, { role: 'ADMIN' });
    const { page } = person;
    await page.getByLabel('Name', { exact: true }).fill('Projects');
    await page.getByRole('checkbox', { name: 'Projects deleted' }).check();
    await page.getByLabel('Body').selectOption('cloudevents');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.getByText('projects created, deleted').waitFor();
    await page.getByText('CloudEvents').waitFor();
    await page.getByRole('button', { name: 'Send test message' }).click();
    await main(page).getByText('Delivered to').waitFor();
    expect(receiver.messages(path)).toHaveLength(1);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('show each attempt with the next one, send a message again, and replay a range of revisions', async () => {
    const organization = await core().organization();
    const path = newPath();
    receiver.statuses.set(path, 503);
    const destination = await createDestination(organization, path);
    await organization.project({ name: 'first' });
    const person = await signedIn(organization, `/destinations/${destination.id}`, { role: 'ADMIN' });
    const { page } = person;
    const row = main(page).getByRole('listitem').filter({ hasText: 'first' }).first();
    await row.getByText('Retrying').waitFor();
    await row.getByText('next attempt').waitFor();
    await row.getByText(/^\d+ attempts?$/).click();
    await row.getByText('HTTP 503').first().waitFor();
    receiver.statuses.delete(path);
    await row.getByRole('button', { name: /^Send again/ }).click();
    await row.getByText('Delivered').waitFor();

    await page.getByRole('button', { name: 'Replay events' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From revision').fill('1');
    await dialog.getByRole('button', { name: 'Replay events' }).click();
    await page.getByText(/1 message with \d+ events? queued\./).waitFor();
    await page.getByText('sent again').first().waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are resumed, and sign with two secrets while the old one is replaced', async () => {
    const organization = await core().organization();
    const path = newPath();
    receiver.statuses.set(path, 410);
    const destination = await createDestination(organization, path);
    await organization.project({ name: 'first' });
    const person = await signedIn(organization, `/destinations/${destination.id}`, { role: 'ADMIN' });
    const { page } = person;
    await page.getByText('Its messages could not be delivered (http_410).').waitFor();
    receiver.statuses.delete(path);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Resumed. Waiting messages are being sent.').waitFor();
    await main(page).getByRole('listitem').filter({ hasText: 'first' }).getByText('Delivered').waitFor();

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Also sign with the previous secret').selectOption('24');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Previous secret signs until').waitFor();
    await page.getByRole('button', { name: 'Send test message' }).click();
    await main(page).getByText('Delivered to').waitFor();
    expect(receiver.messages(path).at(-1)?.signatures).toBe(2);

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect((await organization.owner.get<Page<Destination>>('destinations/')).body.count).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be read without the right to change them', async () => {
    const organization = await core().organization();
    const destination = await createDestination(organization, newPath());
    const person = await signedIn(organization, `/destinations/${destination.id}`, { role: 'VIEWER' });
    const { page } = person;
    await page.getByRole('heading', { name: 'deploys' }).waitFor();
    for (const name of ['Send test message', 'Rotate secret', 'Replay events', 'Delete'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByText('you can read destinations but not change them').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
