import { Module } from '@nestjs/common';
import { Bootstrap } from './bootstrap.ts';
import { NewOrganizations } from './new-organization.ts';

@Module({ providers: [Bootstrap, NewOrganizations], exports: [Bootstrap] })
export class IdentityModule {}
