// What the browser loads once somebody wants the sample platform.
export { graphqlClient } from '../../../data/sample-client.ts';
export { loadPlatform, partsOf } from './load-platform.ts';
export { samplePlatform } from './platform.ts';
