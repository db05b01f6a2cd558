import { Injectable } from '@nestjs/common';
import { type AccessExplanation, AccessExplanationQuery, type ExplainedScopeAccess } from '@strata/contract';
import {
  type AccessState,
  type CellAccess,
  chainFrom,
  compareNames,
  explainAccess,
  Failure,
  type ScopeAccess,
} from '@strata/domain';
import { lastSegment, unknownLinkError } from '../../platform/http/links.ts';
import { pageInMemory } from '../../platform/http/list-order.ts';
import { parseListQuery } from '../../platform/http/page.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import { type MemberAt, type RightsAt, RightsReader, type ScopesAt, unknownKeyError } from '../access/rights.reader.ts';
import { findByName } from '../snapshot/lookup.ts';

const DEFAULT_ENVIRONMENT = 'default';

/** Explains who can read and change the values of a project in an environment. Callers have access to every scope. */
@Injectable()
export class AccessExplanations {
  constructor(
    private readonly pointsInTime: PointsInTime,
    private readonly rights: RightsReader,
  ) {}

  async find(call: Call) {
    const { caller } = call;
    const { organizationId } = caller;
    const { at, instant, query } = await this.pointsInTime.resolved(
      caller,
      parseListQuery(AccessExplanationQuery, call),
    );
    const { project: projectName, environment: environmentName = DEFAULT_ENVIRONMENT, key: keyPrefix } = query;
    const key = keyPrefix === undefined ? null : await this.rights.readKey(organizationId, keyPrefix);
    const who = query.who ?? key?.accountId;
    if (projectName === undefined) throw Failure.field('required', 'project', 'Enter the name or id of a project.');
    const scopes = await this.rights.readScopes(organizationId, at);
    const { revision, projects, environments } = scopes;
    const named = { at, requested: [] };
    const project = findByName(projects, projectName, { ...named, type: 'Project', pointer: '/project' });
    const environment = findByName(environments, environmentName, {
      ...{ ...named, type: 'Environment', pointer: '/environment' },
    });
    const dependsOn = new Map(projects.map(({ id, depends_on_id: dependsOnId }) => [id, dependsOnId]));
    const scopeIds = [...chainFrom(project.id, (id) => dependsOn.get(id)), environment.id];
    const pointInTime = { revision, instant: at === 'now' ? 'infinity' : instant };
    const rights = await this.rights.read(organizationId, pointInTime, { scopeIds, user: who && lastSegment(who) });
    if (who !== undefined && rights.members.length === 0) throw unknownLinkError('who', 'users');
    if (key && rights.members.some(({ userId }) => userId !== key.accountId)) throw unknownKeyError();
    const cell = { projectId: project.id, environmentId: environment.id };
    const state: AccessState = { dependsOn, controlledIds: rights.controlledIds };
    const names = scopeNames(scopes);
    const explanations = rights.members.map((member) =>
      presentMember(member, member.rights && explainAccess(member.rights, cell, state, key), { names, rights }),
    );
    const shownExplanations =
      who === undefined ? explanations.filter(({ read, write }) => read || write) : explanations;
    const sortedExplanations = shownExplanations.toSorted(
      (left, right) => compareNames(left.user_name, right.user_name) || (left.user_id < right.user_id ? -1 : 1),
    );
    const page = pageInMemory(sortedExplanations, query, (row) => [row.user_name, row.user_id]);
    return { query, page: { ...page, revision } };
  }
}

interface Names {
  readonly names: ReadonlyMap<string, string>;
  readonly rights: RightsAt;
}

const scopeNames = ({ projects, environments }: ScopesAt): Names['names'] =>
  new Map([...projects, ...environments].map(({ id, name }) => [id, name]));

const NO_ACCESS: ScopeAccess = { controlledById: null, read: false, write: false, candidates: [] };

function presentMember(member: MemberAt, access: CellAccess | null, names: Names): AccessExplanation {
  return {
    user_id: member.userId,
    user_name: member.userName,
    user_type: member.userType,
    membership_id: member.rights && member.membershipId,
    role: member.rights?.role ?? null,
    read: access?.read ?? false,
    write: access?.write ?? false,
    reveal: access?.reveal ?? false,
    project: presentScope(access?.project ?? NO_ACCESS, names),
    environment: presentScope(access?.environment ?? NO_ACCESS, names),
    denied_by_key: [...(access?.deniedByKey ?? [])],
  };
}

function presentScope(
  { controlledById, read, write, candidates }: ScopeAccess,
  { names, rights }: Names,
): ExplainedScopeAccess {
  return {
    read,
    write,
    controlled_by_id: controlledById,
    controlled_by_name: controlledById && (names.get(controlledById) ?? ''),
    candidates: candidates.map(({ kind, role, grant, wins, hiddenBy }) => ({
      ...{ kind, role, wins },
      grant_id: grant?.id ?? null,
      group_id: grant?.groupId ?? null,
      group_name: grant?.groupId ? (rights.groupNames.get(grant.groupId) ?? '') : null,
      expires_at: grant?.expiresAt ?? null,
      hidden_by: hiddenBy,
    })),
  };
}
