import { Context, Field, ObjectType, Query, Resolver } from '@nestjs/graphql';
import type { Organization as OrganizationRow, Page, User as UserRow } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import type { Core } from '../core.ts';
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
    const [{ body: user }, { body: first }] = await Promise.all([
      core.get<UserRow>('users/current/'),
      core.get<Page<OrganizationRow>>('organizations/'),
    ]);
    const organization = currentIn(first) ?? (first.next === null ? undefined : await currentByName(core, user));
    return {
      user: User.present(user),
      organization: organization ? Organization.present(organization) : null,
      role: user.role,
    };
  }
}

function currentIn({ results }: Page<OrganizationRow>): OrganizationRow | undefined {
  return results.find(({ current }) => current);
}

/** For somebody with more organizations than a page holds; the caller is not told the organization's id. */
async function currentByName(core: Core, { organization_name: name }: UserRow): Promise<OrganizationRow | undefined> {
  return currentIn((await core.get<Page<OrganizationRow>>('organizations/', { name: name ?? undefined })).body);
}
