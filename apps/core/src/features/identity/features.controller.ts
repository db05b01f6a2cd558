import { Controller, Get } from '@nestjs/common';
import type { Features } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';

/** Returns the features of this installation. Requires no credential. */
@Controller('features')
export class FeaturesController {
  @Get()
  @Requires('nothing')
  features(): Features {
    return { self_hosted: true, aws_integration: false, azure_integration: false, github_integration: false };
  }
}
