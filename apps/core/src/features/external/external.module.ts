import { Module } from '@nestjs/common';
import { ExternalContents } from './external-contents.ts';
import { ProviderSetup } from './provider-environment.ts';

@Module({
  providers: [ExternalContents, ProviderSetup],
  exports: [ExternalContents, ProviderSetup],
})
export class ExternalModule {}
