import type { Store } from './provider.ts';

/** A name that no key and no owner has: listing it proves the connection with one short response. */
const NO_KEY = 'strata-connection-test';

/** Tests a store by its cheapest request, and closes it. */
export async function testStore(store: Store): Promise<void> {
  try {
    await store.list(NO_KEY, NO_KEY);
  } finally {
    store.close();
  }
}
