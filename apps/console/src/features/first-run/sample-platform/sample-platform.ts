// What the browser loads once somebody wants the sample platform.
export { graphqlDoor } from '../../../data/sample-door.ts';
export { loadPlatform, partsOf } from './load-platform.ts';
export { samplePlatform } from './platform.ts';
