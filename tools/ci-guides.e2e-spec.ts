import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { buildMissingApps } from '../apps/e2e/src/processes.ts';
import { pullRequest, push } from '../integrations/github-action/src/testing/job.ts';
import { ShopRepository, set } from '../integrations/github-action/src/testing/shop-repository.ts';
import { LocalIssuer, type OwnCore, startCore } from '../libs/testkit/src/index.ts';
import { Guide } from './testing/guide.ts';
import { installedProgramVariables } from './testing/installed-program.ts';

const CANARY = 'canary-1d93c7';
const MERGE = 'd'.repeat(40);

interface WorkflowStep {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
}

let issuer: LocalIssuer;
let core: OwnCore;
let shop: ShopRepository;
let guide: Guide;

beforeAll(async () => {
  await buildMissingApps('cli');
  issuer = await LocalIssuer.start();
  core = await startCore({ STRATA_WORKLOAD_ISSUERS: issuer.url, STRATA_PRIVATE_ISSUERS: 'true' });
});
afterAll(async () => {
  ShopRepository.removeAction();
  await core.close();
  await issuer.close();
});
beforeEach(async () => {
  shop = await ShopRepository.create(core);
  await shop.organization.owner.post('environments/', { name: 'production' });
  await shop.write({ PORT: { value: '8080' }, PASSWORD: { value: CANARY, secret: true } });
});
afterEach(async () => {
  guide.remove();
  await shop.close();
});

/** Creates a service account that trusts a subject, and returns its id. */
async function trusting(name: string, role: 'VIEWER' | 'CONTRIB', subject: string): Promise<string> {
  const { owner } = shop.organization;
  const { body } = await owner.post<{ readonly id: string; readonly url: string }>('serviceaccounts/', { name, role });
  const rule = { issuer: issuer.url, audience: core.origin, subject };
  const { status, text } = await owner.post(`${body.url}trust-rules/`, rule);
  if (status !== 201) throw new Error(text);
  return body.id;
}

const value = () => shop.value('PORT', 'production');

test('the guide to GitHub Actions', async () => {
  guide = new Guide('use-in-github-actions');
  const [release = '', ...workflows] = [
    'Plan on pull requests, apply after the merge',
    'Give a job its values',
  ].flatMap((heading) => guide.blocks(heading, 'yaml'));
  const jobs = Object.assign({}, ...workflows.map((text) => (parse(text) as { jobs: object }).jobs));
  const accounts = guide.cells('Create two service accounts', 3);
  const variables: Record<string, string> = { STRATA_URL: core.origin };
  for (const [name = '', role = '', subject = ''] of accounts)
    variables[`SHOP_${name === 'shop-plan' ? 'PLAN' : 'DEPLOY'}_ACCOUNT`] = await trusting(
      ...([name, role.startsWith('VIEWER') ? 'VIEWER' : 'CONTRIB', subject] as const),
    );

  /** Runs a job of the workflows, and returns its log. */
  async function run(name: string, event: Parameters<ShopRepository['job']>[1], subject: string): Promise<string> {
    shop.github.idToken = (audience) => issuer.token({ aud: audience, sub: subject });
    const job = shop.job('', event, { idToken: true });
    fs.mkdirSync(path.join(job.folder, 'strata'));
    job.write('strata/release.yaml', release);
    const logs: string[] = [];
    for (const { uses = '', run: script, with: actionInputs = {} } of jobs[name].steps as readonly WorkflowStep[]) {
      const [, action] = /^octo\/strata-action\/(\w+)@COMMIT$/.exec(uses) ?? [];
      const inputs = Object.entries(actionInputs).map(([input, text]) => [
        input,
        String(text).replace(/\$\{\{ vars\.(\w+) \}\}/, (_, variable) => variables[variable] ?? ''),
      ]);
      if (action !== undefined) logs.push((await job.step(action as 'plan', Object.fromEntries(inputs))).log);
      if (script !== undefined) {
        const { stdout } = await promisify(execFile)('bash', ['-ec', script], {
          env: { PATH: process.env.PATH, ...job.variables },
        });
        logs.push(job.masked(stdout));
      }
    }
    return logs.join('\n');
  }

  const [pull, production] = ['repo:octo/app:pull_request', 'repo:octo/app:environment:production'];
  expect(await run('plan', pullRequest(12), pull)).toContain('~ PORT: "8080" -> "8081"');
  expect(shop.github.comments.get(12)).toHaveLength(1);
  const merged = { merged_at: '2026-11-27T00:00:00Z', merge_commit_sha: MERGE, base: { ref: 'main' } };
  shop.github.pulls.push({ number: 12, ...merged });
  expect(await run('apply', push(MERGE), production)).toContain('Applied as revision');
  expect(await value()).toBe('8081');
  expect(await run('deploy', push(MERGE), production)).toContain('port 8081 and password ***');
  expect(await run('apply', push(MERGE), pull)).toContain('no trust rule');
});

test('the guide to GitLab CI', async () => {
  guide = new Guide('use-in-gitlab-ci');
  const [common = '', release = '', changes = '', values = ''] = [
    ...['Sign in', 'Plan and apply', 'Give a job its values'],
  ].flatMap((heading) => guide.blocks(heading, 'yaml'));
  const all = { ...parse(common), ...parse(changes), ...parse(values) };
  const [plan, deploy] = await Promise.all(
    guide
      .cells('Create two service accounts', 3)
      .map(([name = '', role = '', subject = '']) =>
        trusting(name, role.startsWith('VIEWER') ? 'VIEWER' : 'CONTRIB', subject),
      ),
  );
  const settings = {
    ...{ ...installedProgramVariables(guide, core), ...all.variables, STRATA_URL: core.origin },
    ...{ SHOP_PLAN_ACCOUNT: plan, SHOP_DEPLOY_ACCOUNT: deploy },
    ...{ CI_PROJECT_URL: 'https://gitlab.example/octo/app', CI_COMMIT_SHA: MERGE },
  } as Readonly<Record<string, string>>;
  fs.mkdirSync(path.join(guide.directory, 'strata'));
  fs.writeFileSync(path.join(guide.directory, 'strata/release.yaml'), release);

  /** Runs the script of a job on a branch, and returns its output and its exit code. */
  async function finished(name: string, branch: string): Promise<readonly [string, number]> {
    const token = issuer.token({ aud: core.origin, sub: `project_path:octo/app:ref_type:branch:ref:${branch}` });
    const account = settings[String(all[name].variables.STRATA_SERVICE_ACCOUNT).slice(1)] ?? '';
    const variables = { ...settings, STRATA_ID_TOKEN: token, STRATA_SERVICE_ACCOUNT: account };
    const job = guide.start(all[name].script.join('\n'), variables, 'bash', ['-e']);
    const [output, [code]] = await Promise.all([text(job.stdout), once(job, 'exit')]);
    return [output, code];
  }
  const run = async (name: string, branch: string) => (await finished(name, branch))[0];

  expect(await run('show', 'a-change')).toContain('~ PORT: "8080" -> "8081"');
  expect(await run('plan', 'main')).toContain('~ PORT: "8080" -> "8081"');
  expect(await run('apply', 'main')).toContain('create Value PORT in shop / production');
  expect(await value()).toBe('8081');
  expect(await run('deploy', 'main')).toBe('listening on 8081\n');
  expect(fs.readFileSync(path.join(guide.directory, 'production.env'), 'utf8')).toContain(`PASSWORD='${CANARY}'`);

  expect((await finished('apply', 'main'))[1]).toBe(8);
  fs.writeFileSync(path.join(guide.directory, 'strata/release.yaml'), set({ UNKNOWN: '1' }));
  expect(await finished('plan', 'main')).toEqual([expect.stringContaining('unknown_parameter'), 7]);
});
