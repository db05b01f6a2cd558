import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { yamlDocument } from '@strata/domain';
import fc from 'fast-check';
import { kubernetesManifests } from '../../apps/cli/src/render/kubernetes.ts';
import { anyCharacter } from '../../libs/domain/src/testing/any-character.ts';
import { MISREAD_TEXTS } from '../../libs/domain/src/testing/misread-texts.ts';
import { describeWith, installGoSource, installPythonProgram } from './tools.ts';

const source = (name: string) => path.join(import.meta.dirname, 'programs', name);
const GO = installGoSource(fs.readFileSync(source('read-yaml.go'), 'utf8'), ['sigs.k8s.io/yaml@v1.6.0']);
const PYTHON = await installPythonProgram('python', 'PyYAML==6.0.4');

describeWith([GO, PYTHON], 'YAML that Strata writes', () => {
  const random = fc.sample(fc.string({ unit: anyCharacter, maxLength: 40 }), 500);
  const texts = [...new Set([...MISREAD_TEXTS, ...random])];

  describe.each([
    ['sigs.k8s.io/yaml, as kubectl,', GO.program, []],
    ['PyYAML', PYTHON.program, [source('read_yaml.py')]],
  ])('%s', (_, program, args) => {
    const read = (documents: readonly string[]): unknown =>
      JSON.parse(execFileSync(program, args, { input: JSON.stringify(documents), encoding: 'utf8' }));

    test('reads every key and every value as it is', () => {
      const values = texts.map((text) => ({ [text]: [text, { '\ufeff key': text }] }));
      expect(read(values.map(yamlDocument))).toEqual(values);
      const long = { ['\ufeff'.repeat(256)]: 'the longest name' };
      expect(read([yamlDocument(long)])).toEqual([long]);
    });

    test('reads every value of a ConfigMap as it is', () => {
      const data = Object.fromEntries(texts.map((value, index) => [`NAME_${index}`, value]));
      const plain = Object.entries(data).map(([name, value]) => [name, { value, secret: false }] as const);
      const named = { no: '1', '0x1F': 'a', '1.5': 'b' };
      const namedEntries = Object.entries(named).map(([name, value]) => [name, { value, secret: false }] as const);
      const manifest = kubernetesManifests(Object.fromEntries([...plain, ...namedEntries]), { name: '1e3' });
      expect(read([manifest])).toEqual([
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '1e3' }, data: { ...data, ...named } },
      ]);
    });
  });
});
