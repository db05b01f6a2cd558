/**
 * What a field counts that asks the core once for every object it stands on, such as the tags of an environment. Fields
 * that loaders gather count one; without the difference, a page of two hundred rows would be two hundred requests cheap.
 */
export const OWN_REQUEST = 20;
