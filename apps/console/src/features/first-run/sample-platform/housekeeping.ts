import { type SampleProject, text } from './shape.ts';

// What configuration looks like after some years: each parameter shows one kind of finding of `GET /api/v1/lint/`.
export const housekeeping: SampleProject = {
  name: 'housekeeping',
  description: 'An old nightly job; each of its parameters shows something that lint finds.',
  dependsOn: null,
  parameters: {
    REPORT_LANGUAGE: text('en', 'Says in staging what it would inherit.', { staging: 'en' }),
    REPORT_BUCKET: {
      ...text('', 'Has a value in production alone.'),
      values: { production: 'reports.example.com' },
    },
    METRICS_URL: text(
      'https://metrics:changeme@metrics.example.com/push',
      'Holds a password although it is no secret.',
    ),
    FORMER_FEATURE: { ...text('', 'Was never set anywhere.'), values: {} },
    'report-title': text('Nightly report', 'Stands in the template.'),
    'legacy-path': text('/srv/reports', 'No variable can be called so, and the template does not say it.'),
    SIGNING_PHRASE: { ...text('spring tide', 'Expires after an hour.'), expires: 'PT1H' },
  },
  templates: {
    header: { description: 'First line of a report.', body: '# {{ strata.parameters["report-title"] }}\n' },
  },
};
