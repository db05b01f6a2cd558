export {
  filterProviders,
  type IdentityProvider,
  IdentityProviders,
  issuerUrlProblem,
  type ProvidedOrganization,
  secureUrlProblem,
} from './identity-provider.ts';
export { createIssuerFetch, type IssuerFetch } from './issuer-fetch.ts';
