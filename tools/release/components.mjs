// Lists the packages that a release contains: as a CycloneDX document, and with the texts of their licences.
import fs from 'node:fs';
import path from 'node:path';

/** Returns the CycloneDX document of a release as JSON. */
export async function billOfMaterials(manifest, packages) {
  // Only a release has this package (tools/release/package.json).
  const { Contrib, Enums, Models, Serialize, Spec } = await import('@cyclonedx/cyclonedx-library');
  const { ComponentBuilder } = Contrib.FromNodePackageJson.Builders;
  const { ExternalReferenceFactory } = Contrib.FromNodePackageJson.Factories;
  const { LicenseFactory } = Contrib.License.Factories;
  const builder = new ComponentBuilder(new ExternalReferenceFactory(), new LicenseFactory());
  const component = (description, type) => {
    const created = builder.makeComponent(description, type);
    created.purl = `pkg:npm/${description.name.replace('@', '%40')}@${description.version}`;
    created.bomRef.value = created.purl;
    return created;
  };
  const bom = new Models.Bom();
  bom.metadata.component = component(manifest, Enums.ComponentType.Application);
  for (const { description } of packages) bom.components.add(component(description, Enums.ComponentType.Library));
  for (const bomComponent of bom.components) bom.metadata.component.dependencies.add(bomComponent.bomRef);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** Returns the licences and notices of packages as one text. */
export function notices(packages) {
  return packages
    .map(({ folder, description: { name, version, license, licenses = [] } }) => {
      const find = (pattern) => fs.readdirSync(folder).filter((file) => pattern.test(file));
      const licences = find(/^(licen[cs]e|copying|notice)/i);
      const files = licences.length > 0 ? licences : find(/^readme/i);
      const texts = files.map((file) => fs.readFileSync(path.join(folder, file), 'utf8').trim());
      const kind = license ?? (licenses.map(({ type }) => type).join(', ') || 'see its text');
      return [`${name} ${version} (${kind})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n');
}

/** Returns each version of each package once, with its folder and its package.json, sorted by name. */
export function listPackages(folders) {
  const all = folders.map((folder) => {
    const description = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return [`${description.name}@${description.version}`, { folder, description }];
  });
  return [...new Map(all).entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}
