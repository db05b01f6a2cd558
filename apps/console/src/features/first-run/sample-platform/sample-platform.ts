// The exports of the module that the browser imports when the user chooses the sample platform.
export { completePlatform } from '@strata/import';
export { importClient } from '../../../data/import-client.ts';
export { toPlatform } from './described-sample.ts';
export { samplePlatform } from './platform.ts';
