/** Returns the display name of a role: `CONTRIB` is a contributor. */
export const roleWord = (role: string): string => (role === 'CONTRIB' ? 'contributor' : role.toLowerCase());
