import { Module } from '@nestjs/common';
import { PasswordsController } from './passwords.controller.ts';

@Module({ controllers: [PasswordsController] })
export class UtilitiesModule {}
