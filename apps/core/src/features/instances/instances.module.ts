import { Module } from '@nestjs/common';
import { InstanceReports } from './instance-reports.ts';

/** Stores what the instances of programs report about the configuration that they run. */
@Module({ providers: [InstanceReports], exports: [InstanceReports] })
export class InstancesModule {}
