// What the browser loads once somebody wants the sample platform.
export { graphqlDoor } from './graphql-door.ts';
export { loadPlatform, partsOf } from './load-platform.ts';
export { samplePlatform } from './platform.ts';
