import { type VersionedEntity, versionedEntity } from '../../platform/postgres/versioned-entity.ts';

export const ParameterEntity = versionedEntity('parameter');
export type ParameterEntity = VersionedEntity<'parameter'>;
