// npm run release: builds everything and writes what is published into dist/release.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { ensure, ensureToolPackages, root } from '../ensure.mjs';

await ensure();
await ensureToolPackages('tools/release');
const { buildAll } = await import('../build-apps.mjs');
const { archive, packAlerts, packChart, packDashboard, packUnits } = await import('./chart.mjs');
const { writeAction } = await import('./github-action.mjs');
const { pack, writeClientPackage, writePackage } = await import('./package.mjs');

const target = path.join(root, 'dist', 'release');
fs.rmSync(target, { recursive: true, force: true });
const folder = path.join(target, 'package');
fs.mkdirSync(folder, { recursive: true });
console.log('Building …');
await buildAll();
const { version } = await writePackage(folder);
await pack(folder, target);
const client = path.join(target, 'client');
fs.mkdirSync(client);
writeClientPackage(client);
await pack(client, target);
const action = path.join(target, 'github-action');
fs.mkdirSync(action);
writeAction(action);
archive(target, 'github-action', path.join(target, `strata-github-action-${version}.tgz`));
packChart(target, version);
packUnits(target, version);
packAlerts(target, version);
packDashboard(target, version);
fs.copyFileSync(path.join(folder, 'sbom.cdx.json'), path.join(target, 'sbom.cdx.json'));

const published = fs.readdirSync(target).filter((name) => fs.statSync(path.join(target, name)).isFile());
const sum = (name) =>
  createHash('sha256')
    .update(fs.readFileSync(path.join(target, name)))
    .digest('hex');
fs.writeFileSync(path.join(target, 'SHA256SUMS'), published.map((name) => `${sum(name)}  ${name}\n`).join(''));
for (const name of fs.readdirSync(target).sort()) console.log(`  ${path.join('dist/release', name)}`);
