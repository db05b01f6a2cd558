import type { TestOrganization } from '@strata/testkit';
import type { ConsolePerson } from './console-browser.ts';
import { applyChangesetTo } from './console-platform.ts';

/** Creates `web` with two groups of names with the same prefix, which depends on `base` with another one. */
export async function createGroups(organization: TestOrganization) {
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  await applyChangesetTo(organization, [
    createValueOperation('base', { LOG_COLOR: 'on', LOG_PATH: '/tmp' }),
    createValueOperation('web', {
      ...{ APP_NAME: 'web', DB_HOST: 'db.example', DB_PORT: '5432', DBA: 'ada' },
      ...{ LOG_FORMAT: 'json', LOG_LEVEL: 'info', LOGGER: 'console' },
      TOKEN: { value: 'canary-rows', secret: true },
    }),
  ]);
  return web;
}

/** Creates `large` with four groups of 100 parameters. */
export async function createLarge(organization: TestOrganization): Promise<void> {
  await organization.project({ name: 'large' });
  const names = Array.from({ length: 400 }, (_, at) => `P${Math.floor(at / 100)}_${String(at % 100).padStart(3, '0')}`);
  const values = Object.fromEntries(names.map((name, at) => [name, `v${at}`]));
  await applyChangesetTo(organization, [createValueOperation('large', values)]);
}

const createValueOperation = (project: string, values: object) => ({
  set: { project, environment: 'default', create_missing: true, values },
});

/** Waits until the page contains some words. */
export const expectText = ({ page }: ConsolePerson, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor();

/** Returns the checkbox of a row, a group, or all rows. */
export const check = ({ page }: ConsolePerson, name: string) => page.getByRole('checkbox', { name, exact: true });
