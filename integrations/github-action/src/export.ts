import { exportValues } from './export-values.ts';
import { runAction } from './run-action.ts';

await runAction(exportValues);
