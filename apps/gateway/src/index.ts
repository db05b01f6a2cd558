export { type GatewayEnv, readEnv, SETTINGS } from './env.ts';
export { createGateway, type Gateway, type GatewayOptions } from './gateway.ts';
