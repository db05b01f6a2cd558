import { type VersionedEntity, versionedEntity } from '../../platform/postgres/versioned-entity.ts';

export const TypeRuleEntity = versionedEntity('parameter_type_rule');
export type TypeRuleEntity = VersionedEntity<'parameter_type_rule'>;
