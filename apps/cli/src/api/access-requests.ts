import type { AccessRequest, AccessRequestCreate } from '@strata/contract';
import { readAllRows } from '@strata/rest-client';
import type { Client } from '../core/client.ts';
import { invalidInputError } from '../core/errors.ts';
import { toOneLine } from '../core/one-line.ts';
import { NounObjects } from './noun-objects.ts';

/** A request with names in place of links. */
export interface NamedRequest extends Omit<AccessRequest, 'url' | 'requester' | 'scope' | 'decided_by'> {
  readonly requester: string;
  /** Null for the ability to reveal secrets. */
  readonly scope: string | null;
  readonly decided_by: string | null;
}

export async function readRequests(client: Client): Promise<readonly NamedRequest[]> {
  const requests = await readAllRows(client, 'access_requests_list', {});
  return Promise.all(requests.map((request) => withNames(client, request)));
}

export async function createRequest(client: Client, body: AccessRequestCreate): Promise<NamedRequest> {
  return withNames(client, await client.call('access_requests_create', { body }, { isWrite: true }));
}

/** Returns the URL of a project or an environment, of which exactly one is named. */
export async function findScope(
  client: Client,
  { project, environment }: { readonly project?: string | undefined; readonly environment?: string | undefined },
): Promise<string> {
  if (project !== undefined && environment !== undefined)
    throw invalidInputError('Set --project or --environment, not both: a grant is on one of them.');
  if (project !== undefined) return (await NounObjects.called('project', client).find([project])).url;
  if (environment !== undefined) return (await NounObjects.called('environment', client).find([environment])).url;
  throw invalidInputError('Set --project or --environment.');
}

/** Returns the name of a project or an environment, of which exactly one is named. */
export function readScopeName({ project, environment }: Parameters<typeof findScope>[1]): string {
  const [name, secondName] = [project, environment].filter((text) => text !== undefined);
  if (name === undefined || secondName !== undefined) throw invalidInputError('Set either --project or --environment.');
  return name;
}

type Decision = 'approve' | 'decline' | 'revoke';

/** Decides or ends a request. */
export async function decideRequest(
  client: Client,
  decision: Decision,
  id: string,
  message: string,
): Promise<NamedRequest> {
  const request = { path: { id }, body: { message } };
  return withNames(client, await client.call(`access_requests_${decision}_create`, request, { isWrite: true }));
}

export function describeRequest({ id, requester, scope, role, state, expires_at: end }: NamedRequest): string {
  const right = scope === null ? 'Revealing secrets' : `${role} on ${toOneLine(scope)}`;
  const until = state === 'approved' && end !== null ? ` until ${end}` : '';
  return `${right} for ${toOneLine(requester)} is ${state}${until} (request ${id}).`;
}

async function withNames(
  client: Client,
  { url: _, requester, scope, decided_by: decider, ...request }: AccessRequest,
): Promise<NamedRequest> {
  const readName = async (link: string) => {
    const { name, email } = await client.sendTo<{ name?: string | null; email?: string }>('GET', apiPath(link));
    return name ?? email ?? link;
  };
  return {
    ...request,
    requester: await readName(requester),
    scope: scope && (await readName(scope)),
    decided_by: decider && (await readName(decider)),
  };
}

/** Returns the path of a link below the API. */
const apiPath = (link: string): string => link.slice(link.indexOf('/api/v1/') + '/api/v1/'.length);
