import { type VersionedEntity, versionedEntity } from '../../platform/postgres/versioned-entity.ts';

export const ParameterTypeEntity = versionedEntity('parameter_type');
export type ParameterTypeEntity = VersionedEntity<'parameter_type'>;
