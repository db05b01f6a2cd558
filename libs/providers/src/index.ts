export type {
  AwsInstallation,
  AzureInstallation,
  CloudProvider,
  KeyLocation,
  KeyWrite,
  ListedKey,
  ProviderCall,
  ProviderEnvironment,
  ProviderSettings,
  ProviderTenant,
  Store,
  StoredText,
  StoreLimits,
  StoreLocation,
} from './provider.ts';
export { FAILURES_MAX, ProviderError, type ProviderErrorKind, retryDelay } from './provider-error.ts';
export { findProvider } from './providers.ts';
