import { type VersionedEntity, versionedEntity } from '../../platform/postgres/versioned-entity.ts';

export const TemplateEntity = versionedEntity('template');
export type TemplateEntity = VersionedEntity<'template'>;
