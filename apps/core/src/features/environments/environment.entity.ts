import { type VersionedEntity, versionedEntity } from '../../platform/postgres/versioned-entity.ts';

export const EnvironmentEntity = versionedEntity('environment');
export type EnvironmentEntity = VersionedEntity<'environment'>;
