/** A UUID in lower case. */
export type Uuid = string;
export type OrganizationId = Uuid;
export type EnvironmentId = Uuid;
export type ProjectId = Uuid;
export type ParameterId = Uuid;
export type ValueId = Uuid;
/** An opaque id of at most 256 characters. An external identity provider may assign it. */
export type UserId = string;
/** The number of a write within its organization: 1, 2, 3 … without gaps. */
export type Revision = number;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): text is Uuid {
  return UUID.test(text);
}
