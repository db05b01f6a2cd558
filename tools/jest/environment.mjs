// The environment of a spec file: jest's own, and modules that are too expensive to load for each file. These modules
// are loaded outside the realms of the files, so all files of a worker share them: the check of responses against the
// contract, the HTTP client, the driver of the browser, the identity provider, and the built core for files that run a core in
// their process.
import { TestEnvironment } from 'jest-environment-node';
import * as undici from 'undici';
import { contractCheck } from '../../libs/testkit/src/contract.ts';

const build = new URL('../../apps/core/build/', import.meta.url);
const nativeModule = (name) => import(name.startsWith('./') ? new URL(name, build).href : name);
let check;
let playwright;

export default class extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { strataNativeModule: nativeModule, strataUndici: undici });
    Object.defineProperty(this.global, 'strataContractCheck', {
      get: () => (check ??= contractCheck()),
    });
    Object.defineProperty(this.global, 'strataPlaywright', {
      get: () => (playwright ??= import('playwright-core')),
    });
    // A spec file can set this to describe the state in which a test failed.
    this.global.strataFailures = [];
    this.global.strataIdentityProvider = async (host) => {
      const { createIdentityProvider } = await import('../../libs/testkit/src/test-identity-provider.ts');
      return createIdentityProvider(host);
    };
  }

  async handleTestEvent({ name, test }) {
    if (name !== 'test_fn_failure') return;
    for (const describeFailure of this.global.strataFailures) {
      console.error(`State in which “${test.name}” failed:\n  ${await describeFailure()}`);
    }
  }
}
