/** Returns the display name of a role, such as "contributor" for `CONTRIB`. */
export const roleWord = (role: string): string => (role === 'CONTRIB' ? 'contributor' : role.toLowerCase());
