export { addressGuard, type AddressGuard, PRIVATE_ADDRESS } from './address-guard.ts';
