import { Module } from '@nestjs/common';
import { ExternalModule } from '../external/external.module.ts';
import { AcceptanceController } from './acceptance.controller.ts';
import { Acceptance } from './acceptance.service.ts';
import { AuthTokenController } from './auth-token.controller.ts';
import { Bootstrap } from './bootstrap.ts';
import { FeaturesController } from './features.controller.ts';
import { GroupMembersController, GroupsController } from './groups.controller.ts';
import { GroupsReader } from './groups.reader.ts';
import { GroupsService } from './groups.service.ts';
import { InvitationOffers } from './invitation-offers.ts';
import { InvitationsController, RenewedInvitationsController } from './invitations.controller.ts';
import { InvitationsReader } from './invitations.reader.ts';
import { InvitationsService } from './invitations.service.ts';
import { MembershipsController } from './memberships.controller.ts';
import { MembershipsReader } from './memberships.reader.ts';
import { MembershipsService } from './memberships.service.ts';
import { NewOrganizations } from './new-organization.ts';
import { OrganizationChoice } from './organization-choice.ts';
import { OrganizationsController } from './organizations.controller.ts';
import { OrganizationsReader } from './organizations.reader.ts';
import { OrganizationsService } from './organizations.service.ts';
import { OwnAccountController } from './own-account.controller.ts';
import { OwnAccount } from './own-account.service.ts';
import { PasswordCheck } from './password-check.ts';
import { PreferencesController } from './preferences.controller.ts';
import { PreferencesService } from './preferences.service.ts';
import { ProvidedMembers } from './provided-members.ts';
import { ProviderSignIn } from './provider-sign-in.ts';
import { ServiceAccountKeysController, ServiceAccountsController } from './service-accounts.controller.ts';
import { ServiceAccountsReader } from './service-accounts.reader.ts';
import { ServiceAccountsService } from './service-accounts.service.ts';
import { SessionStartController, SessionsController } from './sessions.controller.ts';
import { SessionsService } from './sessions.service.ts';
import { SignInService } from './sign-in.service.ts';
import { SignInAttempts } from './sign-in-attempts.ts';
import { SignInCodes } from './sign-in-codes.ts';
import { SignInPolicyController } from './sign-in-policy.controller.ts';
import { SignInPolicies } from './sign-in-policy.ts';
import { TokenExchangeController } from './token-exchange.controller.ts';
import { TrustRulesController } from './trust-rules.controller.ts';
import { TrustRulesReader } from './trust-rules.reader.ts';
import { TrustRulesService } from './trust-rules.service.ts';
import { UsedIdTokens } from './used-id-tokens.ts';
import { CurrentUserController, UsersController } from './users.controller.ts';
import { UsersReader } from './users.reader.ts';
import { WorkloadExchange } from './workload-exchange.ts';

@Module({
  imports: [ExternalModule],
  controllers: [
    AuthTokenController,
    SessionStartController,
    SessionsController,
    TokenExchangeController,
    SignInPolicyController,
    FeaturesController,
    OrganizationsController,
    UsersController,
    CurrentUserController,
    OwnAccountController,
    PreferencesController,
    ServiceAccountsController,
    ServiceAccountKeysController,
    TrustRulesController,
    MembershipsController,
    GroupsController,
    GroupMembersController,
    InvitationsController,
    RenewedInvitationsController,
    AcceptanceController,
  ],
  providers: [
    Bootstrap,
    NewOrganizations,
    SignInAttempts,
    PasswordCheck,
    SessionsService,
    OrganizationChoice,
    SignInService,
    SignInCodes,
    ProvidedMembers,
    ProviderSignIn,
    UsedIdTokens,
    WorkloadExchange,
    SignInPolicies,
    OwnAccount,
    PreferencesService,
    OrganizationsReader,
    OrganizationsService,
    UsersReader,
    ServiceAccountsReader,
    ServiceAccountsService,
    TrustRulesReader,
    TrustRulesService,
    MembershipsReader,
    MembershipsService,
    GroupsReader,
    GroupsService,
    InvitationsReader,
    InvitationsService,
    Acceptance,
    InvitationOffers,
  ],
  exports: [Bootstrap],
})
export class IdentityModule {}
