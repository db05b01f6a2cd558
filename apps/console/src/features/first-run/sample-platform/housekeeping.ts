import { type SampleProject, stringParameter } from './shape.ts';

// A configuration that has aged for some years: each parameter causes one kind of finding of `GET /api/v1/lint/`.
export const housekeeping: SampleProject = {
  name: 'housekeeping',
  description: 'An old nightly job. Each of its parameters has a finding in lint.',
  dependsOn: null,
  parameters: {
    REPORT_LANGUAGE: stringParameter('en', 'Set in staging to the inherited value.', { staging: 'en' }),
    REPORT_BUCKET: {
      ...stringParameter('', 'Set only in production.'),
      values: { production: 'reports.example.com' },
    },
    METRICS_URL: stringParameter(
      'https://metrics:changeme@metrics.example.com/push',
      'Contains a password, but is not secret.',
    ),
    FORMER_FEATURE: { ...stringParameter('', 'Never set.'), values: {} },
    'report-title': stringParameter('Nightly report', 'Used by the template.'),
    'legacy-path': stringParameter('/srv/reports', 'Not a valid variable name, and not used by the template.'),
    SIGNING_PHRASE: { ...stringParameter('spring tide', 'Expires after an hour.'), expires: 'PT1H' },
  },
  templates: {
    header: { description: 'First line of a report.', body: '# {{ strata.parameters["report-title"] }}\n' },
  },
};
