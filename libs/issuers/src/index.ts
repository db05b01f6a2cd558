export {
  type IdentityProvider,
  IdentityProviders,
  issuerUrlProblem,
  type ProvidedOrganization,
  providersOf,
  secureUrlProblem,
} from './identity-provider.ts';
export { createIssuerFetch, type IssuerFetch } from './issuer-fetch.ts';
