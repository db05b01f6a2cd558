import type { ProviderEnvironment } from './provider.ts';

/** An installation without credentials of any provider. */
export const NO_INSTALLATION: Pick<ProviderEnvironment, 'aws' | 'azure' | 'google' | 'github'> = {
  aws: {
    ...{ accessKeyId: null, secretAccessKey: null, endpoint: null },
    ...{ allowsOwnAccount: false, usesMachineCredentials: false },
  },
  azure: { clientId: null, clientSecret: null, federatedTokenFile: null, authorityUrl: '', vaultUrl: '' },
  google: { credentialsFile: null, secretManagerUrl: '' },
  github: { appId: null, privateKey: null, apiUrl: '' },
};
