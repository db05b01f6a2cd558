import { Failure, isUuid, sentence, withoutTrailingSlashes } from '@strata/domain';

/** Builds all links in responses. They are absolute and end with a slash (behaviour.md §1.4). */
export class Links {
  constructor(readonly origin: string) {}

  environment = (id: string): string => this.to(`environments/${id}`);
  tag = (environmentId: string, id: string): string => this.to(`environments/${environmentId}/tags/${id}`);
  changeset = (revision: number): string => this.to(`changesets/${revision}`);
  audit = (id: string): string => this.to(`audit/${id}`);
  project = (id: string): string => this.to(`projects/${id}`);
  type = (id: string): string => this.to(`types/${id}`);
  typeRule = (typeId: string, id: string): string => this.to(`types/${typeId}/rules/${id}`);
  parameter = (projectId: string, id: string): string => this.to(`projects/${projectId}/parameters/${id}`);
  parameterRule = (projectId: string, parameterId: string, id: string): string =>
    this.to(`projects/${projectId}/parameters/${parameterId}/rules/${id}`);
  value = (projectId: string, parameterId: string, id: string): string =>
    this.to(`projects/${projectId}/parameters/${parameterId}/values/${id}`);
  template = (projectId: string, id: string): string => this.to(`projects/${projectId}/templates/${id}`);
  user = (id: string): string => this.to(`users/${encodeURIComponent(id)}`);
  serviceAccount = (id: string): string => this.to(`serviceaccounts/${encodeURIComponent(id)}`);
  membership = (id: string): string => this.to(`memberships/${id}`);
  invitation = (id: string): string => this.to(`invitations/${id}`);
  group = (id: string): string => this.to(`groups/${id}`);
  accessRequest = (id: string): string => this.to(`access/requests/${id}`);
  grant = (id: string): string => this.to(`grants/${id}`);
  organization = (id: string): string => this.to(`organizations/${id}`);
  webhook = (id: string): string => this.to(`webhooks/${id}`);
  delivery = (webhookId: string, id: string): string => this.to(`webhooks/${webhookId}/deliveries/${id}`);

  destination = (id: string): string => this.to(`destinations/${id}`);
  rotation = (id: string): string => this.to(`rotations/${id}`);

  /** Builds a link from a path below the API. */
  to(path: string): string {
    return `${this.origin}/api/v1/${path}/`;
  }
}

/** Returns the path of a link, without query, fragment and slashes at its end. Scheme and host remain. */
export function readLinkPath(link: string): string {
  const end = link.search(/[?#]/);
  return withoutTrailingSlashes(end === -1 ? link : link.slice(0, end));
}

/** Returns the last path segment of a link, or the text itself if it is a bare id. Scheme and host do not matter. */
export function lastSegment(link: string): string {
  const path = readLinkPath(link);
  const segment = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the id in a link input such as `parent`. `collection` is the path part that must precede the id. */
export function idFromLink(field: string, collection: string, link: string): string {
  const id = lastSegment(link).toLowerCase();
  const isBare = !link.includes('/');
  const path = readLinkPath(link);
  const matches =
    isBare ||
    path.slice(0, path.lastIndexOf('/')).endsWith(`/${collection}`) ||
    path === `${collection}/${lastSegment(link)}`;
  if (isUuid(id) && matches) return id;
  throw unknownLinkError(field, collection);
}

/** Returns 400 for a link to a missing object. An object of another organization gives the same error. */
export function unknownLinkError(field: string, collection: string): Failure {
  return Failure.field(
    'unknown_link',
    field,
    sentence`Invalid reference: the object does not exist. Enter the URL or the id of one of your ${{ objects: collection }}.`,
  );
}

/** Returns the id of a path. Throws 404 for an id that is not a UUID, since no object can have it. */
export function pathId(noun: string, id: string): string {
  const lower = id.toLowerCase();
  if (!isUuid(lower)) throw Failure.notFound(noun);
  return lower;
}
