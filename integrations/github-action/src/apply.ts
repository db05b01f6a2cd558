import { applyChangeset } from './apply-changeset.ts';
import { runAction } from './run-action.ts';

await runAction(applyChangeset);
