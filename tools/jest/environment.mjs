// Where a spec file runs: jest's own surroundings, and what costs too much to be loaded again for each file. It stands
// outside of the files' own realms, so all files of a worker share it: the check of answers against the contract, the HTTP
// client, and the core as it was built, for those that have one inside.
import { TestEnvironment } from 'jest-environment-node';
import * as undici from 'undici';
import { contractCheck } from '../../libs/testkit/src/contract.ts';

const dist = new URL('../../apps/core/dist/', import.meta.url);
const nativeModule = (name) => import(name.startsWith('./') ? new URL(name, dist).href : name);
let check;

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { strataNativeModule: nativeModule, strataUndici: undici });
    Object.defineProperty(this.global, 'strataContractCheck', {
      get: () => (check ??= contractCheck()),
    });
  }
}
