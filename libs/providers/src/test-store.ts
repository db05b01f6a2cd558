import type { ProviderSettings, Store } from './provider.ts';

/** A name that no key and no owner has: listing it proves the connection with one short response. */
const NO_KEY = 'strata-connection-test';

/** Tests a store by its cheapest request, and closes it. It knows no settings. */
export async function testStore(store: Store): Promise<ProviderSettings> {
  try {
    await store.list(NO_KEY, NO_KEY);
    return {};
  } finally {
    store.close();
  }
}
