import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { releasedAction } from '../../integrations/github-action/src/testing/job.ts';
import { FILE, ShopRepository, set } from '../../integrations/github-action/src/testing/shop-repository.ts';
import { describeWith, installGoProgram } from './tools.ts';

const CANARY = 'canary-20fe6b';
const ACT = installGoProgram('github.com/nektos/act@v0.2.89');
const run = promisify(execFile);

/** Returns what the runner replaces by the value of an expression. */
const expression = (text: string): string => `$\{{ ${text} }}`;

const inputs = (more: Readonly<Record<string, string>>) => ({
  ...{ url: expression('vars.STRATA_URL'), 'api-key': expression('secrets.STRATA_API_KEY') },
  ...{ project: 'shop', environment: 'default' },
  ...more,
});

/** Plans and applies in one job, because act has no comments of pull requests. */
const WORKFLOW = {
  on: 'push',
  jobs: {
    deploy: {
      'runs-on': 'ubuntu-latest',
      steps: [
        { uses: 'actions/checkout@v5' },
        { id: 'plan', uses: './action/plan', with: inputs({ file: FILE }) },
        {
          uses: './action/apply',
          with: inputs({ file: FILE, 'plan-hash': expression('steps.plan.outputs.hash') }),
        },
        { uses: './action/export', with: inputs({}) },
        { run: 'echo "port $PORT, password $PASSWORD"; echo "$KEY"' },
      ],
    },
  },
};

describeWith([ACT], 'the action in act, a runner for workflows of GitHub', () => {
  let core: RunningCore;
  let shop: ShopRepository;
  let action: string;

  beforeAll(async () => {
    core = await sharedCore();
    action = await releasedAction();
    shop = await ShopRepository.create(core);
    await shop.write({ PORT: { value: '8080' }, PASSWORD: { value: CANARY, secret: true } });
    await shop.write({ KEY: { value: `first ${CANARY}\nsecond ${CANARY}`, secret: true } });
  });
  afterAll(async () => {
    ShopRepository.removeAction();
    fs.rmSync(action, { recursive: true });
    await shop.close();
  });

  test('plans, applies and exports; the log masks secrets, also in the output of later steps', async () => {
    const { folder } = shop.job(set({ PORT: '8081' }), { name: 'push', payload: {} });
    fs.cpSync(action, path.join(folder, 'action'), { recursive: true });
    fs.mkdirSync(path.join(folder, '.github/workflows'), { recursive: true });
    fs.writeFileSync(path.join(folder, '.github/workflows/deploy.yaml'), JSON.stringify(WORKFLOW));
    const env = {
      ...{ PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, HOME: folder },
      ...{ STRATA_API_KEY: shop.inputs['api-key'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null' },
    };
    for (const args of [
      ['init', '--quiet'],
      ['add', '.'],
      ['commit', '--quiet', '--message=First'],
    ])
      await run('git', ['-c', 'user.name=ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder, env });

    const options = ['--platform=ubuntu-latest=-self-hosted', '--pull=false', `--var=STRATA_URL=${core.origin}`];
    const secrets = ['--secret=STRATA_API_KEY', '--secret=GITHUB_TOKEN=none'];
    const { stdout, stderr } = await run(ACT.program, ['push', ...options, ...secrets], { cwd: folder, env });

    expect(stdout).toMatch(/~ PORT: "8080" -> "8081"[\s\S]*Applied as revision \d+[\s\S]*port 8081, password \*\*\*/);
    expect(`${stdout}${stderr}`).not.toMatch(new RegExp(`${CANARY}|${shop.inputs['api-key']}`));
    expect(await shop.value('PORT')).toBe('8081');
  });
});
