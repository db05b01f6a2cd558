import { startTestAws, type TestCloud } from '@strata/testkit';
import {
  AzurePushFixture,
  GitHubPushFixture,
  GooglePushFixture,
  type PushedShop,
  PushFixture,
} from './push-fixture.ts';

/** A core that pushes to the stand-in for one store. */
export interface StoreFixture {
  readonly cloud: TestCloud;
  shop(): Promise<PushedShop>;
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

async function openAws(service: string, settings: Settings): Promise<StoreFixture> {
  const at = await PushFixture.on(await startTestAws(), settings);
  return { cloud: at.aws, shop: () => at.shop({}, service), close: () => at.close() };
}

/** The stores that a push can write to. */
const STORES = {
  secretsmanager: (settings: Settings) => openAws('secretsmanager', settings),
  ssm: (settings: Settings) => openAws('ssm', settings),
  azure: async (settings: Settings): Promise<StoreFixture> => {
    const at = await AzurePushFixture.open(settings);
    return { cloud: at.azure, shop: () => at.shop({}), close: () => at.close() };
  },
  google: async (settings: Settings): Promise<StoreFixture> => {
    const at = await GooglePushFixture.open(settings);
    return { cloud: at.google, shop: () => at.shop({}), close: () => at.close() };
  },
  github: async (settings: Settings): Promise<StoreFixture> => {
    const at = await GitHubPushFixture.open(settings);
    return { cloud: at.github, shop: () => at.shop({}), close: () => at.close() };
  },
} as const;

export type StoreName = keyof typeof STORES;

const { missing, close } = await startTestAws();
await close();

/** Returns why the stand-in for a store is not available; null if it is. */
const missingStandIn = (store: StoreName): string | null =>
  store === 'secretsmanager' || store === 'ssm' ? missing : null;

/** Runs a test once for each store whose stand-in is available, and skips it for the others. */
export function forEachStore(
  title: string,
  test: (fixture: StoreFixture, store: StoreName) => Promise<void>,
  settings: Settings = {},
): void {
  for (const store of Object.keys(STORES) as StoreName[]) {
    const reason = missingStandIn(store);
    (reason === null ? it : it.skip)(`${title}: ${store}${reason === null ? '' : ` (${reason})`}`, async () => {
      const fixture = await STORES[store](settings);
      try {
        await test(fixture, store);
      } finally {
        await fixture.close();
      }
    });
  }
}
