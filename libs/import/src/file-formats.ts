/** The programs whose exports contain only secrets. */
export const SECRET_STORES = ['Vault', 'Doppler', 'Infisical'] as const;
export type SecretStore = (typeof SECRET_STORES)[number];

export const FILE_FORMATS = ['dotenv', 'JSON', 'YAML', ...SECRET_STORES, 'Consul'] as const;
export type SourceFormat = (typeof FILE_FORMATS)[number];
/** The syntax of a text, independent of the program that wrote it. */
export type Syntax = Exclude<SourceFormat, SecretStore | 'Consul'>;

/** The separators with which nested names can be joined. */
export const SEPARATORS = ['_', '__', '.', '/'] as const;
export type Separator = (typeof SEPARATORS)[number];
