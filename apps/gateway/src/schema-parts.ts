import { CHANGES_PART } from './changes/changes.ts';
import { CHANGESETS_PART } from './changesets/changesets.ts';
import { EFFECTIVE_VALUES_PART } from './effective-values/effective-values.ts';
import { ENVIRONMENTS_PART } from './environments/environments.ts';
import { EXPLAIN_PART } from './explain/explain.ts';
import { HISTORY_PART } from './history/history.ts';
import { INSIGHT_PART } from './insight/insight.ts';
import { INTEGRATION_PARTS } from './integrations/integrations.ts';
import { MATRIX_PART } from './matrix/matrix.ts';
import { NODE_PART } from './node-field.ts';
import { EFFECTIVE_PART } from './parameters/effective.ts';
import { PARAMETERS_PART } from './parameters/parameters.ts';
import { PEOPLE_PART } from './people/people.ts';
import { PREFERENCES_PART } from './people/preferences.ts';
import { RIGHTS_PART } from './people/rights.ts';
import { SIGN_IN_PART } from './people/sign-in.ts';
import { PROJECTS_PART } from './projects/projects.ts';
import { ROLLOUTS_PART } from './rollouts/rollouts.ts';
import { ROTATIONS_PART } from './rotations/rotations.ts';
import type { SchemaPart } from './schema/schema-part.ts';
import { TEMPLATES_PART } from './templates/templates.ts';
import { TRANSFER_PART } from './transfer/transfer.ts';
import { TYPES_PART } from './types/types.ts';
import { VALUES_PART } from './values/values.ts';
import { VIEWER_PART } from './viewer/viewer.ts';
import { DESTINATIONS_PART } from './webhooks/destinations.ts';
import { WEBHOOKS_PART } from './webhooks/webhooks.ts';

/** The parts of the schema. To add a noun, add a part and list it here. */
export const SCHEMA_PARTS: readonly SchemaPart[] = [
  VIEWER_PART,
  NODE_PART,
  ENVIRONMENTS_PART,
  PROJECTS_PART,
  TYPES_PART,
  PARAMETERS_PART,
  EFFECTIVE_PART,
  EXPLAIN_PART,
  MATRIX_PART,
  INSIGHT_PART,
  VALUES_PART,
  TEMPLATES_PART,
  HISTORY_PART,
  PEOPLE_PART,
  RIGHTS_PART,
  SIGN_IN_PART,
  PREFERENCES_PART,
  TRANSFER_PART,
  ...INTEGRATION_PARTS,
  WEBHOOKS_PART,
  DESTINATIONS_PART,
  ROTATIONS_PART,
  CHANGES_PART,
  EFFECTIVE_VALUES_PART,
  ROLLOUTS_PART,
  CHANGESETS_PART,
];
