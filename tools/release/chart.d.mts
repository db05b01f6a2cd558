/** Writes the chart as a .tgz into a folder, as `helm package` does, and returns its path. */
export function packChart(destination: string, version: string): string;
/** Writes the systemd units as a .tgz into a folder, and returns its path. */
export function packUnits(destination: string, version: string): string;
/** Writes the alerts for Prometheus as a .tgz into a folder, and returns its path. */
export function packAlerts(destination: string, version: string): string;
/** Writes the dashboard for Grafana as a .tgz into a folder, and returns its path. */
export function packDashboard(destination: string, version: string): string;
