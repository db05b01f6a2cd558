import { Context, Field, ID, ObjectType, Query, Resolver } from '@nestjs/graphql';
import type { Organization as OrganizationRow, Page, User as UserRow } from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { Role, UserKind } from '../graphql/enums.ts';

@ObjectType({ description: 'A person or a service account.' })
export class User {
  @Field(() => ID, { description: 'Opaque id; an identity provider may have chosen it.' })
  id!: string;

  @Field(() => String, { nullable: true, description: 'Its name.' })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'E-mail address; a synthetic one for service accounts.' })
  email!: string | null;

  @Field(() => UserKind, { description: 'Whether this is a person.' })
  type!: keyof typeof UserKind;
}

@ObjectType({ description: 'The house that everything belongs to. Nothing of another one can be seen.' })
export class Organization {
  @Field(() => ID, { description: 'Opaque id.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => String, { description: 'Pattern that names of projects must match; empty for any.' })
  projectNamePattern!: string;
}

@ObjectType({ description: 'Who is asking.' })
export class Viewer {
  @Field(() => User, { description: 'The person or service account behind the credential.' })
  user!: User;

  @Field(() => Organization, { nullable: true, description: 'The organization that the credential is for.' })
  organization!: Organization | null;

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
    const organization = organizations.results.find(({ current }) => current) ?? null;
    return {
      user: { id: user.id, name: user.name, email: user.email, type: user.type },
      organization: organization && {
        id: organization.id,
        name: organization.name,
        projectNamePattern: organization.project_name_pattern,
      },
      role: user.role,
    };
  }
}
