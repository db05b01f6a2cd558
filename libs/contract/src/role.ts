import { ROLES } from '@strata/domain';
import { z } from 'zod';

export { ROLES };

/** Upper case on the wire (behaviour.md §11.1). */
export const Role = z.enum(ROLES).meta({ id: 'RoleEnum' });
