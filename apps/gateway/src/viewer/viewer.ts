import { type Membership as MembershipRow, Role, type User as UserRow } from '@strata/contract';
import { GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { GatewayContext } from '../context.ts';
import type { Assembly, SchemaPart } from '../schema/assembly.ts';
import { linkedObject } from '../schema/links.ts';
import { oneOf } from '../schema/member.ts';
import type { Presented } from '../schema/object-type.ts';
import { field } from '../schema/schema-build.ts';

interface ViewerData {
  readonly user: Presented;
  readonly role: string | null;
  /** Of the caller in this organization. */
  readonly membershipId: string | null;
}

export const VIEWER: SchemaPart = { extend: addViewer };

function addViewer(assembly: Assembly): void {
  const user = assembly.shapeNamed('User');
  const viewer = assembly.build.once(
    'Viewer',
    () =>
      new GraphQLObjectType({
        name: 'Viewer',
        description: 'Who is asking.',
        fields: () => ({
          user: field({
            type: new GraphQLNonNull(user.type),
            description: 'The person or service account behind the credential.',
          }),
          role: field({
            type: assembly.build.scalar(oneOf(Role)),
            description: 'What the caller may do in this organization.',
          }),
          organization: organizationField(assembly),
        }),
      }),
  );
  assembly.build.add('Query', {
    viewer: field({
      type: new GraphQLNonNull(viewer),
      description: 'The caller, its organization and its role.',
      reaches: ['users_current_retrieve'],
      resolve: async (_source, _args, { core }: GatewayContext): Promise<ViewerData> => {
        const { body } = await core.get<UserRow>('users/current/');
        return { user: user.present(body), role: body.role, membershipId: body.membership_id };
      },
    }),
  });
}

/** By way of the membership, which alone tells the id: of the caller's organizations, many may have one name. */
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
