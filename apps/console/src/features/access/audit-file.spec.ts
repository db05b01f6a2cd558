import { formatCsv } from './audit-file.ts';

const record = {
  id: 'r',
  action: 'update' as const,
  objectId: 'o',
  objectType: 'Value' as const,
  objectName: 'PORT',
  projectName: 'shop',
  environmentName: null,
  changeset: 7,
  timestamp: '2026-11-22T10:00:00Z',
  refusal: null,
  user: { id: 'u', type: 'interactive' as const, name: 'Ada', email: 'ada@example.com' },
};

describe('the audit log as a spreadsheet', () => {
  it('has a line for each record, with the wording of the page', () => {
    expect(formatCsv([record])).toBe(
      'when,who,e-mail,user id,did,to,name,object id,project,environment,revision,refusal\r\n2026-11-22T10:00:00Z,Ada,ada@example.com,u,changed,value,PORT,o,shop,,7,\r\n',
    );
  });

  it('describes denied requests', () => {
    const deniedRequest = { rule: 'forbidden', operation: 'POST /api/v1/webhooks/', requests: 3 };
    const line = formatCsv([{ ...record, action: 'request_refused', refusal: deniedRequest }]).split('\r\n')[1];

    expect(line).toContain(',was denied,');
    expect(line).toMatch(/,forbidden · POST \/api\/v1\/webhooks\/ · 3 requests$/);
  });

  it.each([
    ['a,b', '"a,b"'],
    ['say "hi"\nthere', '"say ""hi""\nthere"'],
    ['=cmd()', "'=cmd()"],
    ['@SUM(A1),2', `"'@SUM(A1),2"`],
    ['-1', "'-1"],
  ])('keeps %j in one cell, and prevents its evaluation as a formula', (objectName, cell) => {
    expect(formatCsv([{ ...record, objectName }])).toContain(`,${cell},o,shop,,7,\r\n`);
  });
});
