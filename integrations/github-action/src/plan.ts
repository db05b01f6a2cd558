import { planChangeset } from './plan-changeset.ts';
import { runAction } from './run-action.ts';

await runAction(planChangeset);
