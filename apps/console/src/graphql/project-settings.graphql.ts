// Made by tools/console/documents.mjs of project-settings.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What a person or service account may do. */
type Role =
  /** Manages people, webhooks and integrations. */
  | 'ADMIN'
  /** Changes environments, projects, parameters and values. */
  | 'CONTRIB'
  /** Everything, including the organization itself. */
  | 'OWNER'
  /** Reads. */
  | 'VIEWER';

export type ProjectDetailsQueryVariables = Exact<{
  id: string;
}>;


export type ProjectDetailsQuery = { readonly project: { readonly id: string, readonly ledgerId: string, readonly name: string, readonly description: string, readonly parameterNamePattern: string, readonly accessControlled: boolean, readonly role: Role | null, readonly dependsOnId: string | null, readonly createdAt: string, readonly modifiedAt: string | null } | null };

export const ProjectDetails: Document<ProjectDetailsQuery, ProjectDetailsQueryVariables> = document(
  'ProjectDetails',
  '884db4cb1b69fb92629abd09a53f93fb9a522034135d2d3b27702bb07a18c9be',
);
