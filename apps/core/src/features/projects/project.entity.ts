import { type VersionedEntity, versionedEntity } from '../../platform/postgres/versioned-entity.ts';

export const ProjectEntity = versionedEntity('project');
export type ProjectEntity = VersionedEntity<'project'>;
