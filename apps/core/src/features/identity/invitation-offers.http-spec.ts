import { randomUUID } from 'node:crypto';
import type { InvitationCreated, InvitationOffer, Page, ServiceAccountCreated } from '@strata/contract';
import { RawClient, type RunningCore, sharedCore } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
let anonymous: RawClient;
beforeAll(async () => {
  core = await sharedCore();
  anonymous = new RawClient(core.origin, null);
});

const PASSWORD = 'correct horse battery';
const address = () => `${randomUUID()}@example.com`;

async function invited(role = 'CONTRIB', email = address()) {
  const organization = await core.organization();
  const { body } = await organization.owner.post<InvitationCreated>('invitations/', { email, role });
  return { ...body, organization, email };
}
const readOffer = ({ id, token }: { readonly id: string; readonly token: string }, client = anonymous) =>
  client.post<InvitationOffer>(`invitations/${id}/offer/`, { token });

describe('the offer of an invitation', () => {
  it('is returned to every holder of its token', async () => {
    const invitation = await invited();
    const outsider = await createPerson(core, (await core.organization()).id, 'VIEWER');
    const offer = {
      state: 'open',
      organization_name: invitation.organization.name,
      inviter_name: invitation.inviter_name,
      email: invitation.email,
      role: 'CONTRIB',
      has_account: false,
      expires_at: expect.stringMatching(/Z$/),
    };

    const response = await readOffer(invitation);

    expect([response.status, response.body, response.headers['cache-control']]).toEqual([200, offer, 'no-store']);
    expect((await readOffer(invitation, outsider.client)).body).toEqual(offer);
    expect((await readOffer(invitation)).body).toEqual(offer);
  });

  it('contains whether the address has an account', async () => {
    const registered = await createPerson(core, (await core.organization()).id, 'VIEWER');

    expect((await readOffer(await invited('VIEWER', registered.email.toUpperCase()))).body.has_account).toBe(true);
  });

  it('reports that the invitation was accepted or has expired', async () => {
    const [used, old] = [await invited(), await invited()];
    await anonymous.post(`invitations/${used.id}/accept/`, { token: used.token, password: PASSWORD, name: 'Nora' });
    await query(core, `update invitation set token_expires_at = now() - interval '1 second' where id = $1`, [old.id]);

    expect((await readOffer(used)).body).toMatchObject({ state: 'accepted', has_account: true, expires_at: null });
    expect((await readOffer(old)).body).toMatchObject({ state: 'expired', expires_at: expect.any(String) });
    for (const { id, token } of [used, old]) {
      const repeatedResponse = await anonymous.post(`invitations/${id}/accept/`, { token, password: PASSWORD });
      expect(repeatedResponse.status).toBe(404);
    }
  });

  it('returns the same 404 for a wrong token, a replaced or withdrawn one, and an unknown invitation', async () => {
    const [accepted, renewed, changedOrganization, withdrawn] = [
      await invited(),
      await invited(),
      await invited(),
      await invited(),
    ];
    await renewed.organization.owner.post(`invitations/${renewed.id}/resend/`);
    await changedOrganization.organization.owner.patch(`invitations/${changedOrganization.id}/`, { role: 'VIEWER' });
    await withdrawn.organization.owner.delete(`invitations/${withdrawn.id}/`);

    const responses = [
      await readOffer({ id: accepted.id, token: renewed.token }),
      await readOffer(renewed),
      await readOffer(changedOrganization),
      await readOffer(withdrawn),
      await readOffer({ id: randomUUID(), token: accepted.token }),
      await readOffer({ id: 'nonsense', token: accepted.token }),
    ];

    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(404);
    expect((await anonymous.post(`invitations/${accepted.id}/offer/`)).body).toEqual({ token: [expect.any(String)] });
  });
});

describe('a list of invitations', () => {
  it('contains the expiration of each token on request, and is unchanged otherwise', async () => {
    const { organization, id } = await invited();
    const { body: changedInvitation } = await organization.owner.post<InvitationCreated>('invitations/', {
      email: address(),
      role: 'ADMIN',
    });
    await organization.owner.patch(`invitations/${changedInvitation.id}/`, { role: 'VIEWER' });
    const list = async (query: string) =>
      (await organization.as('VIEWER').get<Page<object>>(`invitations/${query}`)).body.results;

    const shown = await list('?token_expiry=true');

    expect(shown).toHaveLength(2);
    expect(shown).toContainEqual(expect.objectContaining({ id, token_expires_at: expect.stringMatching(/Z$/) }));
    expect(shown).toContainEqual(expect.objectContaining({ id: changedInvitation.id, token_expires_at: null }));
    for (const invitation of await list('')) expect(invitation).not.toHaveProperty('token_expires_at');
  });
});

describe('the key of a new service account', () => {
  it('expires only if its creator requests it', async () => {
    const organization = await core.organization();
    const make = (body: object) =>
      organization.owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', ...body });

    const expire_at = '2099-01-01T00:00:00Z';
    expect((await make({ expire_at })).body.keys).toMatchObject([{ expiry_date: '2099-01-01T00:00:00.000000Z' }]);
    expect((await make({})).body.keys).toMatchObject([{ expiry_date: null }]);
    expect(await make({ expire_at: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 400,
      body: { expire_at: [expect.stringContaining('in the past')] },
    });
  });
});
