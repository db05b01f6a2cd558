import type {
  AuthToken,
  Membership,
  MembershipCreate,
  MembershipListQuery,
  MembershipPatch,
  Organization,
  OrganizationCreate,
  OrganizationListQuery,
  OrganizationPatch,
  ServiceAccount,
  ServiceAccountCreate,
  ServiceAccountCreated,
  ServiceAccountListQuery,
  ServiceAccountUpdate,
  User,
  UserListQuery,
} from '@strata/contract';
import { apiPath, type QueryOf, type Wish } from './paths.ts';
import { Resource, type Sender } from './resource.ts';

export function auth(sender: Sender) {
  return {
    /** With e-mail and password: signs in. With an organization alone: exchanges the caller's token for one there. */
    token: (
      request:
        | { readonly email: string; readonly password: string; readonly organization?: string }
        | { readonly organization: string },
    ): Promise<AuthToken> => sender.body({ method: 'POST', path: apiPath`/auth/token/`, body: request }),
  };
}

export function organizations(sender: Sender) {
  return new Resource<
    Organization,
    QueryOf<OrganizationListQuery>,
    Wish<OrganizationCreate, 'name'>,
    OrganizationPatch,
    OrganizationPatch
  >(sender, apiPath`/organizations/`);
}

export function memberships(sender: Sender) {
  return new Resource<Membership, QueryOf<MembershipListQuery>, MembershipCreate, MembershipPatch, MembershipPatch>(
    sender,
    apiPath`/memberships/`,
  );
}

class Users extends Resource<User, QueryOf<UserListQuery>> {
  /** The caller. */
  current(): Promise<User> {
    return this.sender.body({ method: 'GET', path: apiPath`/users/current/` });
  }
}

export function users(sender: Sender) {
  return new Users(sender, apiPath`/users/`);
}

class ServiceAccounts extends Resource<
  ServiceAccount,
  QueryOf<ServiceAccountListQuery>,
  Wish<ServiceAccountCreate, 'name'>,
  ServiceAccountUpdate,
  ServiceAccountUpdate,
  Record<string, never>,
  ServiceAccountCreated
> {
  /** A new key in place of the old one, shown once. */
  rekey(id: string, expireAt: string | null = null): Promise<ServiceAccountCreated> {
    const body = { expire_at: expireAt };
    return this.sender.body({ method: 'POST', path: apiPath`/serviceaccounts/${id}/rekey/`, body });
  }
}

export function serviceAccounts(sender: Sender) {
  return new ServiceAccounts(sender, apiPath`/serviceaccounts/`);
}
