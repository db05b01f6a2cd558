// The exports of the module that the browser imports when the user chooses the sample platform.
export { graphqlClient } from '../../../data/sample-client.ts';
export { loadPlatform, partsOf } from './load-platform.ts';
export { samplePlatform } from './platform.ts';
