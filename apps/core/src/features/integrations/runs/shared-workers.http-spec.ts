import { newAwsAccount, startFakeChat } from '@strata/testkit';
import { integration } from '../../../testing/integrations.ts';
import { setUpAws } from '../../../testing/push-fixture.ts';
import { waitUntil } from '../../../testing/until.ts';

const chat = await startFakeChat();
const { at, suite, standIn } = await setUpAws({ STRATA_SLACK_API_URL: chat.url });

/** As many as there are workers for messages, and how many of them run at once. */
const PUSHES = 20;
const RUNS_MAX = 10;

afterAll(() => chat.close());

suite(`pushes to a provider that does not respond (${standIn})`, () => {
  it('do not delay the messages of webhooks', async () => {
    const { organization, project } = await at.shop({ A: 'ours' });
    const environment = await organization.environmentNamed('production');
    const { body: tag } = await organization.owner.post<{ url: string }>(`${environment.url}tags/`, { name: 'v1' });
    // The connection of an integration is tested when it is created.
    const urls: string[] = [];
    for (let n = 0; n < PUSHES; n += 1) {
      const { url } = await integration(organization, 'aws', {
        ...{ aws_account_id: newAwsAccount(), aws_role_name: `strata-${n}`, writable: true },
        ...{ aws_enabled_regions: ['eu-central-1'], aws_enabled_services: ['secretsmanager'] },
      });
      urls.push(url);
    }
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const roles = new Set<unknown>();
    at.aws.interfere(async ({ operation, input }) => {
      if (operation !== 'AssumeRole') return null;
      roles.add(input.RoleArn);
      await released;
      return null;
    });
    for (const [n, url] of urls.entries()) {
      await organization.owner.post(`${url}pushes/`, {
        ...{ name: 'push', projects: [project.url], tags: [tag.url], include_secrets: true },
        ...{ region: 'eu-central-1', service: 'secretsmanager', resource: `/shop-${n}/{{ parameter }}` },
      });
    }
    await waitUntil(
      () => Promise.resolve(roles.size),
      (count) => count >= RUNS_MAX,
    );
    await organization.webhook({
      event_types: ['project_created'],
      configuration: { token: 'xoxb-test-token', channel: 'C-held', username: 'strata' },
    });
    await organization.project({ name: 'announced' });

    await waitUntil(
      () => Promise.resolve(chat.attempts().filter(({ channel }) => channel === 'C-held')),
      (attempts) => attempts.length > 0,
    );
    expect(roles.size).toBe(RUNS_MAX);
    release();
  });
});
