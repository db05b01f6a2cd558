import {
  type CallerAbilities as AbilitiesRow,
  type Membership as MembershipRow,
  type Page,
  Role,
  SESSIONS_MAX,
  type Session as SessionRow,
  type SignInMethods as SignInMethodsRow,
  type User as UserRow,
} from '@strata/contract';
import { GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { Assembly } from '../schema/assembly.ts';
import { linkedObject } from '../schema/links.ts';
import { enumKind } from '../schema/member.ts';
import type { ObjectSource } from '../schema/object-type.ts';
import { field } from '../schema/schema-build.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

interface ViewerData {
  readonly user: ObjectSource;
  readonly role: string | null;
  readonly membershipId: string | null;
}

export const VIEWER_PART: SchemaPart = { extend: addViewer };

function addViewer(assembly: Assembly): void {
  const user = assembly.shapeNamed('User');
  const viewer = assembly.build.once(
    'Viewer',
    () =>
      new GraphQLObjectType({
        name: 'Viewer',
        description: 'The caller.',
        fields: () => ({
          user: field({
            type: new GraphQLNonNull(user.type),
            description: 'The person or service account behind the credential.',
          }),
          role: field({
            type: assembly.build.scalar(enumKind(Role)),
            description:
              'The role that the credential permits in this organization. A workload has at most CONTRIB, whatever role its service account has.',
          }),
          organization: organizationField(assembly),
          abilities: abilitiesField(assembly),
          sessions: sessionsField(assembly),
          signInMethods: signInMethodsField(assembly),
          apiUrl: field({
            type: new GraphQLNonNull(GraphQLString),
            description:
              'The address of the REST API for programs: below `STRATA_PUBLIC_URL`, or else where the gateway reaches the core.',
            resolve: (_source, _args, { apiUrl }: GatewayContext) => apiUrl,
          }),
        }),
      }),
  );
  assembly.build.add('Query', {
    viewer: field({
      type: new GraphQLNonNull(viewer),
      description: 'The caller, their organization and role.',
      reaches: ['users_current_retrieve'],
      resolve: async (_source, _args, { core }: GatewayContext): Promise<ViewerData> => {
        const { body } = await core.get<UserRow>('users/current/');
        return { user: user.toSource(body), role: body.role, membershipId: body.membership_id };
      },
    }),
  });
}

/** For clients that show the available actions. The core rejects actions that are missing here. */
function abilitiesField(assembly: Assembly) {
  const abilities = assembly.shapeNamed('CallerAbilities');
  return field<ViewerData>({
    type: new GraphQLNonNull(abilities.type),
    description: 'The permissions of the caller, in the organization and in scopes with access control.',
    reaches: ['users_current_abilities_retrieve'],
    resolve: async (_source, _args, { core }: GatewayContext) => {
      const { body } = await core.get<AbilitiesRow>('users/current/abilities/');
      return abilities.toSource(body);
    },
  });
}

function signInMethodsField(assembly: Assembly) {
  const methods = assembly.shapeNamed('SignInMethods');
  return field<ViewerData>({
    type: new GraphQLNonNull(methods.type),
    description: 'The ways in which the caller can sign in.',
    reaches: ['users_current_sign_in_retrieve'],
    resolve: async (_source, _args, { core }: GatewayContext) =>
      methods.toSource((await core.get<SignInMethodsRow>('users/current/sign-in/')).body),
  });
}

/** A plain list, because the number of sessions of a user is limited. */
function sessionsField(assembly: Assembly) {
  const session = assembly.shapeNamed('Session');
  return field<ViewerData>({
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(session.type))),
    description: `The sessions of the caller in all organizations, at most ${SESSIONS_MAX}, newest first.`,
    reaches: ['users_current_sessions_list'],
    resolve: async (_source, _args, { core }: GatewayContext) => {
      const { body } = await core.get<Page<SessionRow>>('users/current/sessions/');
      return body.results.map((row) => session.toSource(row));
    },
  });
}

/** Reads the id from the membership, because several organizations of the caller can have the same name. */
function organizationField(assembly: Assembly) {
  return field<ViewerData>({
    type: assembly.shapeNamed('Organization').type,
    description: 'The organization that the credential is for.',
    resolve: async ({ membershipId: id }, _args, { loaders }: GatewayContext) => {
      const membership = id === null ? null : await loaders.row.load({ list: 'memberships/', id });
      return membership && linkedObject(assembly, loaders, 'Organization', (membership as MembershipRow).organization);
    },
  });
}
