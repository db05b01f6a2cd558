import { Module } from '@nestjs/common';
import { TemplatingModule } from '../templating/templating.module.ts';
import { ValidationModule } from '../validation/validation.module.ts';
import { PreviewController } from './preview.controller.ts';
import { Previews } from './preview.ts';
import { TemplatesController } from './templates.controller.ts';
import { TemplatesReader } from './templates.reader.ts';
import { TemplatesService } from './templates.service.ts';

@Module({
  imports: [TemplatingModule, ValidationModule],
  controllers: [TemplatesController, PreviewController],
  providers: [TemplatesReader, TemplatesService, Previews],
})
export class TemplatesModule {}
