import { Controller, Get, Inject } from '@nestjs/common';
import type { Features } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import type { Env } from '../../platform/env.ts';
import { ENV } from '../../platform/tokens.ts';

/** Returns the features of this installation. Requires no credential. */
@Controller('features')
export class FeaturesController {
  constructor(@Inject(ENV) private readonly env: Env) {}

  @Get()
  @Requires('nothing')
  features(): Features {
    return {
      self_hosted: true,
      aws_integration: false,
      azure_integration: false,
      github_integration: false,
      console_url: this.env.STRATA_CONSOLE_URL ?? null,
    };
  }
}
