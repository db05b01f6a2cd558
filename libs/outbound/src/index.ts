export { type AddressGuard, addressGuard, PRIVATE_ADDRESS } from './address-guard.ts';
export { createGuardedAgents, type GuardedAgents } from './guarded-agents.ts';
export { COMPRESSED_RESPONSE, createGuardedFetch, type GuardedFetch } from './guarded-fetch.ts';
export { FENCE_CLOSED, type RequestFence } from './request-fence.ts';
