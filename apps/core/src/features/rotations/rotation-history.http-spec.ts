import type { Page, RecordedChangeset } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import type { CoreInProcess } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';
import { RotatedSecret, startRotatingCore } from '../../testing/rotation-fixture.ts';

let core: CoreInProcess;
let organization: TestOrganization;
const servers: RotatedSecret['server'][] = [];

beforeAll(async () => {
  core = await startRotatingCore();
});
afterAll(async () => {
  for (const server of servers) await server.drop();
  await core.close();
});
beforeEach(async () => {
  organization = await core.organization();
});

async function rotatedSecret(input: Parameters<typeof RotatedSecret.create>[2] = {}): Promise<RotatedSecret> {
  const secret = await RotatedSecret.create(core, organization, input);
  servers.push(secret.server);
  return secret;
}

/** Returns the actors and messages of the latest changes of rotations, oldest first. */
async function history(): Promise<readonly string[]> {
  const { body } = await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=50');
  const acts = body.results.filter(({ message }) => message !== null);
  return acts.map(({ actor_name: actor, message }) => `${actor}: ${message}`).reverse();
}

describe('the history of a rotation', () => {
  it('has requests, revocations and aborts, each with its actor', async () => {
    const secret = await rotatedSecret();
    await secret.rotate();
    await secret.report('web');
    await secret.act('rotate');
    await secret.until(({ stage }) => stage === 'acknowledging');
    // A rotation that runs is not begun again, and one that does not run is not aborted.
    await secret.act('rotate');
    await secret.act('abort');
    await secret.until(({ state }) => state === 'idle');
    await secret.act('abort');

    const owner = expect.stringMatching(/^(?!Rotations: ).*: The rotation was requested\.$/);
    expect(await history()).toEqual([
      owner,
      // The first rotation begins with the role that is not published.
      `Rotations: The credential ${secret.server.second} was revoked.`,
      `Rotations: The credential ${secret.server.first} was revoked.`,
      owner,
      expect.stringMatching(/: The rotation was aborted in the stage acknowledging\.$/),
    ]);
  });

  it('has a stop with its reason, which is an event of the rotation', async () => {
    const secret = await rotatedSecret();
    await organization.owner.patch(secret.value.url, { internal_value: 'postgresql://other:secret@db.invalid/shop' });
    const { reason } = await secret.rotate();

    expect((await history()).at(-1)).toBe(`Rotations: The rotation has stopped. ${reason}`);
    const { body } = await organization.owner.get<Page<{ type: string }>>(
      'events/?types=rotation_created,rotation_updated',
    );
    const types = body.results.map(({ type }) => type);
    // The creation, the request and the stop.
    expect(types).toEqual(['rotation_created', 'rotation_updated', 'rotation_updated']);
  });

  it('has dismissals by name, without the names of instances in other projects', async () => {
    const secret = await rotatedSecret({ silent: 'decide' });
    const dependent = await organization.project({ name: 'other', depends_on: secret.project.url });
    await secret.report('near');
    await secret.report('far', organization.owner, undefined, dependent);
    const { pending } = await secret.publish();
    await query(core, 'delete from instance where organization_id = $1', [organization.id]);
    await secret.until(({ state }) => state === 'needs_decision');
    await secret.act('dismiss', { instances: pending.map(({ id }) => id) });
    await secret.until(({ state }) => state === 'idle');

    const [dismissal = ''] = (await history()).filter((line) => line.includes('does not wait'));
    expect(dismissal).toContain('the instance near, 1 instance of other projects or environments.');
    expect(dismissal).not.toContain('far');
  });
});
