import { type VersionedEntity, versionedEntity } from '../../../platform/postgres/versioned-entity.ts';

export const ParameterRuleEntity = versionedEntity('parameter_rule');
export type ParameterRuleEntity = VersionedEntity<'parameter_rule'>;
