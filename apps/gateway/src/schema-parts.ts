import { CHANGES } from './changes/changes.ts';
import { CHANGESETS } from './changesets/changesets.ts';
import { EFFECTIVE_VALUES } from './effective-values/effective-values.ts';
import { ENVIRONMENTS } from './environments/environments.ts';
import { EXPLAIN } from './explain/explain.ts';
import { HISTORY } from './history/history.ts';
import { INSIGHT } from './insight/insight.ts';
import { INTEGRATION_PARTS } from './integrations/integrations.ts';
import { MATRIX } from './matrix/matrix.ts';
import { NODE } from './node-field.ts';
import { EFFECTIVE } from './parameters/effective.ts';
import { PARAMETERS } from './parameters/parameters.ts';
import { PEOPLE } from './people/people.ts';
import { PREFERENCES } from './people/preferences.ts';
import { RIGHTS } from './people/rights.ts';
import { SIGN_IN } from './people/sign-in.ts';
import { PROJECTS } from './projects/projects.ts';
import { ROLLOUTS } from './rollouts/rollouts.ts';
import { ROTATIONS } from './rotations/rotations.ts';
import type { SchemaPart } from './schema/schema-part.ts';
import { TEMPLATES } from './templates/templates.ts';
import { TRANSFER } from './transfer/transfer.ts';
import { TYPES } from './types/types.ts';
import { VALUES } from './values/values.ts';
import { VIEWER } from './viewer/viewer.ts';
import { DESTINATIONS } from './webhooks/destinations.ts';
import { WEBHOOKS } from './webhooks/webhooks.ts';

/** The parts of the schema. To add a noun, add a part and list it here. */
export const SCHEMA_PARTS: readonly SchemaPart[] = [
  VIEWER,
  NODE,
  ENVIRONMENTS,
  PROJECTS,
  TYPES,
  PARAMETERS,
  EFFECTIVE,
  EXPLAIN,
  MATRIX,
  INSIGHT,
  VALUES,
  TEMPLATES,
  HISTORY,
  PEOPLE,
  RIGHTS,
  SIGN_IN,
  PREFERENCES,
  TRANSFER,
  ...INTEGRATION_PARTS,
  WEBHOOKS,
  DESTINATIONS,
  ROTATIONS,
  CHANGES,
  EFFECTIVE_VALUES,
  ROLLOUTS,
  CHANGESETS,
];
