import type { Differences, LintPage, Matrix, Page, Parameter } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { listDifferingNames } from '../../testing/differing-shop.ts';
import { readRevision } from '../../testing/explain.ts';
import { findCell } from '../../testing/matrix-shop.ts';
import { setText } from '../../testing/texts.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

async function projectWithSecret() {
  const organization = await core.organization();
  const { owner } = organization;
  const production = await organization.environmentNamed('production');
  const project = await organization.project({ name: 'shop' });
  await setText(organization, project, 'PW', { text: 'hunter2', literal: true, secret: true });
  await owner.post(`${project.url}templates/`, { name: 't', body: '{{ PW }}' });
  await owner.post(`${project.url}templates/`, { name: 'where', body: '{{ PW }}{{ strata.environment }}' });
  const matrix = async () => (await owner.get<Matrix>(`${project.url}matrix/`)).body;
  const compared = async (query: string) => (await owner.get<Differences>(`${project.url}compare/${query}`)).body;
  return { organization, owner, production, project, matrix, compared };
}

/** Texts that depend on the secret, and whether their effective values differ between environments. */
const TEXTS: Readonly<Record<string, readonly [text: string, differs: boolean]>> = {
  bare: ['{{ PW }}', false],
  quoted: ['{{ strata.parameters["PW"] }}', false],
  through_a_template: ['{{ strata.templates.t }}', false],
  with_its_own_name: ['{{ PW }}{{ strata.self }}', false],
  with_the_project: ['{{ PW }}{{ cloudtruth.project }}', false],
  with_a_filter: ['{{ strata.parameters.PW | upcase }}', false],
  in_a_loop: ['{% for p in strata.projects.other.parameters %}{{ p[1] }}{% endfor %}', false],
  with_the_environment: ['{{ PW }}{{ strata.environment }}', true],
  by_the_older_word: ['{{ PW }}{{ cloudtruth.environment }}', true],
  in_quotes: ['{{ PW }}{{ strata["environment"] | upcase }}', true],
  in_a_tag: ['{% if strata.environment == "production" %}{{ PW }}{% endif %}', true],
  in_a_template: ['{{ strata.templates.where }}', true],
};

it('a secret text differs between environments only if it has other inputs or contains the environment', async () => {
  const { organization, project, matrix, compared } = await projectWithSecret();
  const otherProject = await organization.project({ name: 'other' });
  await setText(organization, otherProject, 'KEY', { text: 'hunter3', literal: true, secret: true });
  for (const [name, [text]] of Object.entries(TEXTS)) await setText(organization, project, name, { text });
  const before = await matrix();
  const differing = Object.keys(TEXTS).filter((name) => TEXTS[name]?.[1]);
  const differingRows = before.results.filter(({ name }) =>
    findCell(before, name, 'production').states.includes('differs'),
  );

  expect(differingRows.map(({ name }) => name).sort()).toEqual([...differing].sort());
  expect(listDifferingNames(await compared('?left=default&right=production'))).toEqual(
    differingRows.map(({ name }) => name),
  );
});

it('in comparisons of two points in time, a secret that is set again counts as changed, even to the same text', async () => {
  const { organization, owner, production, project, compared } = await projectWithSecret();
  await setText(organization, project, 'says_it', { text: '{{ strata.parameters["PW"] }}' });
  const host = await setText(organization, project, 'host', { text: 'h', literal: true });
  const combined = await setText(organization, project, 'both', { text: '{{ host }}{{ PW }}' });
  const before = await readRevision(organization);
  // Sets a plain text to the same text again. Plain texts may be compared.
  await owner.patch(host.value.url, { internal_value: 'h' });
  await owner.patch(combined.value.url, { internal_value: '{{ host }}{{ PW }}' });
  await organization.value({ parameter: host.parameter, environment: production, internal_value: 'h' });
  expect(listDifferingNames(await compared(`?left_revision=${before}`))).toEqual([]);

  const { body: secrets } = await owner.get<Page<Parameter>>(`${project.url}parameters/?name=PW`);
  await owner.patch(secrets.results[0]?.values_flat[0]?.url ?? '', { internal_value: 'hunter2' });
  expect(listDifferingNames(await compared(`?left_revision=${before}`))).toEqual(['both', 'PW', 'says_it']);
});

it('a secret value is never redundant, neither in a matrix nor in lint, even if its text only refers to a secret', async () => {
  const { organization, owner, production, project, matrix } = await projectWithSecret();
  const texts = { dynamic: '{{ PW }}', through: '{{ dynamic }}', plain: '{{ strata.environment }}' };
  for (const [name, text] of Object.entries(texts)) {
    const { parameter } = await setText(organization, project, name, { text });
    await organization.value({ parameter, environment: production, internal_value: text, interpolated: true });
  }
  const cells = await matrix();
  const redundant = cells.results.filter(({ name }) =>
    findCell(cells, name, 'production').states.includes('redundant'),
  );
  const { body } = await owner.get<LintPage>('lint/?kind=redundant_override');

  expect(redundant.map(({ name }) => name)).toEqual(['plain']);
  expect(body.results.map(({ name }) => name)).toEqual(['plain']);
});
