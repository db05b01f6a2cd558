/**
 * The cost of a field that makes one request per parent object, such as the tags of an environment. Batched fields cost
 * one. With equal costs, a page of two hundred rows could trigger two hundred requests.
 */
export const UNBATCHED_REQUEST_COST = 20;
