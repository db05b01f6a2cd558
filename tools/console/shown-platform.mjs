// A running Strata with the sample platform and some history, for pictures and measurements of the console.
import { randomBytes } from 'node:crypto';
import { samplePlatform } from '../../apps/console/src/features/first-run/sample-platform/platform.ts';
import { startBrowser } from '../browser/chromium.mjs';
import { connect } from '../seed/client.mjs';
import { load } from '../seed/load.mjs';

/** The changes that a team made after the start; the newest is last. */
const RELEASES = [
  [
    'Room for the summer sale',
    'SHOP-311',
    'postgresql',
    { production: { max_connections: '400', work_mem: '24MB' }, canary: { max_connections: '150' } },
  ],
  ['Canary first: larger buffers', 'DB-58', 'postgresql', { canary: { shared_buffers: '3GB', jit: 'true' } }],
  [
    'Mail through the new relay',
    null,
    'platform-base',
    { production: { SMTP_HOST: 'relay.internal', SMTP_PORT: '465' } },
  ],
  [
    'Rotate the password of the relay',
    'SEC-12',
    'platform-base',
    { production: { SMTP_PASSWORD: 'not for pictures' } },
  ],
  ['Larger buffers everywhere', 'DB-58', 'postgresql', { production: { shared_buffers: '12GB' } }],
];

/** Fills the organization of a stage (tools/bench/stage.mjs), starts a browser, and signs the owner in. */
export async function showPlatform(stage, say) {
  const { browser, missing } = await startBrowser();
  if (!browser) throw new Error(missing);
  try {
    // Browser sessions need a key, which the other measurements do not set.
    stage.env.STRATA_SESSION_KEY = randomBytes(32).toString('base64');
    say('Starting core and gateway …');
    await stage.startServices();
    const api = connect(stage.env.STRATA_CORE_URL, stage.apiKey);
    say('Loading the sample platform …');
    // Leaves out the webhook, so that no channel is notified.
    const { webhook: _, ...platform } = samplePlatform;
    await load(api, () => {}, platform);
    for (const [message, external_ref, project, environments] of RELEASES) {
      const operations = Object.entries(environments).map(([environment, values]) => ({
        set: { project, environment, values },
      }));
      await api.post('/api/v1/changesets/', { message, external_ref, operations });
    }
    const origin = `http://127.0.0.1:${stage.env.STRATA_GATEWAY_PORT}`;
    return { browser, origin, storageState: await signIn(browser, origin, stage.env) };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function signIn(browser, baseURL, { STRATA_BOOTSTRAP_EMAIL: email, STRATA_BOOTSTRAP_PASSWORD: password }) {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await page.goto('/sign-in');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const state = await context.storageState();
  await context.close();
  return state;
}
