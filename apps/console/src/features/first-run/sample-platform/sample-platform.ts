// The browser loads this module when the user chooses the sample platform.
export { graphqlClient } from '../../../data/sample-client.ts';
export { loadPlatform, partsOf } from './load-platform.ts';
export { samplePlatform } from './platform.ts';
