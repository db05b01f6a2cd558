import { Controller, Get, Inject } from '@nestjs/common';
import type { Features, ProviderName } from '@strata/contract';
import { findProvider } from '@strata/providers';
import { Requires } from '../../platform/auth/requires.ts';
import type { Env } from '../../platform/env.ts';
import { ENV } from '../../platform/tokens.ts';
import { ProviderSetup } from '../external/provider-environment.ts';

/** Returns the features of this installation. Requires no credential. */
@Controller('features')
export class FeaturesController {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly setup: ProviderSetup,
  ) {}

  @Get()
  @Requires('nothing')
  features(): Features {
    return {
      self_hosted: true,
      aws_integration: this.isEnabled('aws'),
      azure_integration: this.isEnabled('azure_key_vault'),
      github_integration: this.isEnabled('github'),
      console_url: this.env.STRATA_CONSOLE_URL ?? null,
    };
  }

  /** A provider without the operator's credentials stores integrations and connects to nothing. */
  private isEnabled(provider: ProviderName): boolean {
    return findProvider(provider)?.isEnabled(this.setup.environment) ?? false;
  }
}
