// Packs the Helm chart, the systemd units, the alerts for Prometheus and the dashboard for Grafana with the version of the
// release.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../ensure.mjs';

/** Writes the chart as a .tgz into a folder, as `helm package` does, and returns its path. */
export function packChart(destination, version) {
  const draft = fs.mkdtempSync(path.join(destination, 'chart-'));
  try {
    const chart = path.join(draft, 'strata');
    fs.cpSync(path.join(root, 'deploy/helm'), chart, { recursive: true });
    const file = path.join(chart, 'Chart.yaml');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(/^((?:appV|v)ersion:) .*$/gm, `$1 ${version}`));
    return archive(draft, 'strata', path.join(destination, `strata-chart-${version}.tgz`));
  } finally {
    fs.rmSync(draft, { recursive: true });
  }
}

/** Writes the systemd units as a .tgz into a folder, and returns its path. */
export function packUnits(destination, version) {
  return archive(path.join(root, 'deploy'), 'systemd', path.join(destination, `strata-systemd-${version}.tgz`));
}

/** Writes the alerts for Prometheus as a .tgz into a folder, and returns its path. */
export function packAlerts(destination, version) {
  return archive(path.join(root, 'deploy'), 'prometheus', path.join(destination, `strata-prometheus-${version}.tgz`));
}

/** Writes the dashboard for Grafana as a .tgz into a folder, and returns its path. */
export function packDashboard(destination, version) {
  return archive(path.join(root, 'deploy'), 'grafana', path.join(destination, `strata-grafana-${version}.tgz`));
}

/** Packs a folder, and returns the path of the .tgz. */
export function archive(folder, name, file) {
  execFileSync('tar', ['-czf', file, '-C', folder, name]);
  return file;
}
