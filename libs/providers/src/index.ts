export { NO_INSTALLATION } from './no-installation.ts';
export type {
  AwsInstallation,
  AzureInstallation,
  CloudProvider,
  GitHubInstallation,
  GoogleInstallation,
  KeyLocation,
  KeySpace,
  KeyWrite,
  ListedKey,
  ProviderCall,
  ProviderEnvironment,
  ProviderSettings,
  ProviderTenant,
  Store,
  StoredText,
  StoreFolder,
  StoreLimits,
  StoreLocation,
} from './provider.ts';
export { FAILURES_MAX, ProviderError, type ProviderErrorKind, retryDelay } from './provider-error.ts';
export { findProvider } from './providers.ts';
export type {
  CreatedCredential,
  CreationRequest,
  RotationCommands,
  RotatorContext,
  RotatorSession,
} from './rotators/rotator.ts';
export { findRotator } from './rotators/rotators.ts';
