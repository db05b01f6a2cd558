import { Context, Field, ObjectType, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { Membership as MembershipRow, User as UserRow } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { Role } from '../graphql/enums.ts';
import { linked } from '../graphql/links.ts';
import { Organization, User } from '../people/people.ts';

@ObjectType({ description: 'Who is asking.' })
export class Viewer {
  @Field(() => User.type, { description: 'The person or service account behind the credential.' })
  user!: object;

  @Field(() => Role, { nullable: true, description: 'What the caller may do in this organization.' })
  role!: string | null;

  /** Of the caller in this organization. */
  membershipId!: string | null;
}

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, { description: 'The caller, its organization and its role.' })
  async viewer(@Context() { core }: GatewayContext): Promise<Viewer> {
    const { body: user } = await core.get<UserRow>('users/current/');
    return { user: User.present(user), role: user.role, membershipId: user.membership_id };
  }

  /** By way of the membership, which alone tells the id: of the caller's organizations, many may have one name. */
  @ResolveField(() => Organization.type, {
    nullable: true,
    description: 'The organization that the credential is for.',
  })
  async organization(@Parent() { membershipId: id }: Viewer, @Context() { loaders }: GatewayContext) {
    const membership = id === null ? null : await loaders.row.load({ list: 'memberships/', id });
    return membership && linked(loaders, 'Organization', (membership as MembershipRow).organization);
  }
}
