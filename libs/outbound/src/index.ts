export { type AddressGuard, addressGuard, PRIVATE_ADDRESS } from './address-guard.ts';
export { type GuardedAgents, guardedAgents } from './guarded-agents.ts';
export { type GuardedFetch, guardedFetch } from './guarded-fetch.ts';
export { FENCE_CLOSED, type RequestFence } from './request-fence.ts';
