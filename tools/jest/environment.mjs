// Where a spec file runs: jest's own surroundings, and the check of answers against the contract, which costs too much to
// be made again for each file. It stands outside of the files' own worlds, so all files of a worker share what it compiled.
import { TestEnvironment } from 'jest-environment-node';
import { contractCheck } from '../../libs/testkit/src/contract.ts';

let check;

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.defineProperty(this.global, 'strataContractCheck', {
      get: () => (check ??= contractCheck()),
    });
  }
}
