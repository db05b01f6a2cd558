import { Context, Field, ObjectType, Query, Resolver } from '@nestjs/graphql';
import type { Organization as OrganizationRow, Page, User as UserRow } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { Role } from '../graphql/enums.ts';
import { Organization, User } from '../people/people.ts';

@ObjectType({ description: 'Who is asking.' })
export class Viewer {
  @Field(() => User.type, { description: 'The person or service account behind the credential.' })
  user!: object;

  @Field(() => Organization.type, { nullable: true, description: 'The organization that the credential is for.' })
  organization!: object | null;

  @Field(() => Role, { nullable: true, description: 'What the caller may do in this organization.' })
  role!: string | null;
}

@Resolver()
export class ViewerResolver {
  @Query(() => Viewer, { description: 'The caller, its organization and its role.' })
  async viewer(@Context() { core }: GatewayContext): Promise<Viewer> {
    const [{ body: user }, { body: organizations }] = await Promise.all([
      core.get<UserRow>('users/current/'),
      core.get<Page<OrganizationRow>>('organizations/'),
    ]);
    const organization = organizations.results.find(({ current }) => current);
    return {
      user: User.present(user),
      organization: organization ? Organization.present(organization) : null,
      role: user.role,
    };
  }
}
