import type {
  Grant,
  GrantCreate,
  GrantListQuery,
  GrantMultiQuery,
  GrantPatch,
  GrantUpdate,
  Group,
  GroupCreate,
  GroupListQuery,
  GroupPatch,
  GroupUpdate,
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationCreated,
  InvitationListQuery,
  InvitationPatch,
} from '@strata/contract';
import { apiPath, type QueryOf, type Wish } from './paths.ts';
import { Resource, type Sender } from './resource.ts';

class Invitations extends Resource<
  Invitation,
  QueryOf<InvitationListQuery>,
  InvitationCreate,
  InvitationPatch,
  InvitationPatch,
  Record<string, never>,
  InvitationCreated
> {
  /** As the invited person; without an account, with the token and a password. */
  accept(id: string, body: InvitationAccept = {}): Promise<Invitation> {
    return this.sender.body({ method: 'POST', path: apiPath`/invitations/${id}/accept/`, body });
  }

  /** A new token in place of the old one, shown once. */
  resend(id: string): Promise<InvitationCreated> {
    return this.sender.body({ method: 'POST', path: apiPath`/invitations/${id}/resend/`, body: {} });
  }
}

export function invitations(sender: Sender) {
  return new Invitations(sender, apiPath`/invitations/`);
}

class Groups extends Resource<
  Group,
  QueryOf<GroupListQuery>,
  Wish<GroupCreate, 'name' | 'users'>,
  GroupUpdate,
  GroupPatch
> {
  add(id: string, user: string): Promise<Group> {
    return this.sender.body({ method: 'POST', path: apiPath`/groups/${id}/add/`, query: { user }, body: {} });
  }

  remove(id: string, user: string): Promise<Group> {
    return this.sender.body({ method: 'POST', path: apiPath`/groups/${id}/remove/`, query: { user }, body: {} });
  }
}

export function groups(sender: Sender) {
  return new Groups(sender, apiPath`/groups/`);
}

class Grants extends Resource<Grant, QueryOf<GrantListQuery>, GrantCreate, GrantUpdate, GrantPatch> {
  /** All that match, or none; answers one of them. */
  deleteMatching(query: QueryOf<GrantMultiQuery>): Promise<Grant> {
    return this.sender.body({ method: 'DELETE', path: apiPath`/grants/multi/`, query });
  }
}

export function grants(sender: Sender) {
  return new Grants(sender, apiPath`/grants/`);
}
