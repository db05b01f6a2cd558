import { Module } from '@nestjs/common';
import { AuthTokenController } from './auth-token.controller.ts';
import { Bootstrap } from './bootstrap.ts';
import { NewOrganizations } from './new-organization.ts';
import { OrganizationsController } from './organizations.controller.ts';
import { OrganizationsReader } from './organizations.reader.ts';
import { OrganizationsService } from './organizations.service.ts';
import { SignInService } from './sign-in.service.ts';

@Module({
  controllers: [AuthTokenController, OrganizationsController],
  providers: [Bootstrap, NewOrganizations, SignInService, OrganizationsReader, OrganizationsService],
  exports: [Bootstrap],
})
export class IdentityModule {}
