import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Programs that the tests install are kept here, so that the next run has them. */
export const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache/strata/tools');

/** A program from outside npm. */
export interface Tool {
  readonly program: string;
  /** Why the program is not available; null if it is. */
  readonly missing: string | null;
}

const isThere = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;

function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = process.cwd(),
): string | null {
  const options = { encoding: 'utf8', env: { ...process.env, ...env }, cwd } as const;
  const { error, status, stderr } = spawnSync(command, args, options);
  if (error) return error.message;
  return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? `${command} ended with ${status}`);
}

/** Returns a program of a Debian package, which is installed if it is missing and root runs the tests. */
export function installDebianProgram(program: string, name = program): Tool {
  if (isThere(program)) return { program, missing: null };
  const install = ['install', '--yes', '--no-install-recommends', name];
  const reason = run('apt-get', install, { DEBIAN_FRONTEND: 'noninteractive' });
  return { program, missing: reason && `${name} cannot be installed: ${reason}` };
}

/** Returns a program that only the operator of this machine can install. */
export const findInstalledTool = (program: string): Tool => ({
  program,
  missing: isThere(program) ? null : `${program} is not installed`,
});

/** Returns the program of a Go module such as `helm.sh/helm/v3/cmd/helm@v3.22.0`, which is compiled if it is missing. */
export function installGoProgram(module: string): Tool {
  const bin = path.join(CACHE, module.replaceAll(/[^\w.@]/g, '-'));
  const program = path.join(bin, path.basename(module.split('@')[0] ?? ''));
  if (fs.existsSync(program)) return { program, missing: null };
  const reason = run('go', ['install', module], { GOBIN: bin });
  return { program, missing: reason && `${module} cannot be compiled: ${reason}` };
}

/** Returns the program of a Go source, which is compiled with these modules if it is missing or the source has changed. */
export function installGoSource(source: string, modules: readonly string[]): Tool {
  const digest = createHash('sha256')
    .update(JSON.stringify([source, modules]))
    .digest('hex')
    .slice(0, 16);
  const folder = path.join(CACHE, `go-source-${digest}`);
  const program = path.join(folder, 'program');
  if (fs.existsSync(program)) return { program, missing: null };
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'main.go'), source);
  const go = (...args: readonly string[]) => run('go', args, {}, folder);
  const reason =
    go('mod', 'init', 'program') ??
    (modules.length > 0 ? go('get', ...modules) : null) ??
    go('mod', 'tidy') ??
    go('build', '-o', program);
  return { program, missing: reason && `${modules.join(', ') || 'a Go source'} cannot be compiled: ${reason}` };
}

/**
 * Resolves with a program of Python packages, which are installed in an environment of their own if it is missing. The
 * process that provides the resources of the tests can do other work meanwhile.
 */
export function installPythonProgram(program: string, ...requirements: readonly string[]): Promise<Tool> {
  return installWithPython('python3', requirements.join(' '), program, requirements);
}

/** Like `installPythonProgram`, for a program that runs as another user, who cannot reach a Python in the home of root. */
export async function installSharedPythonProgram(
  identity: { readonly uid?: number; readonly gid?: number },
  program: string,
  ...requirements: readonly string[]
): Promise<Tool> {
  const tool = await installWithPython('/usr/bin/python3', `shared ${requirements.join(' ')}`, program, requirements);
  if (tool.missing !== null) return tool;
  const { error } = spawnSync(tool.program, ['--version'], identity);
  return { ...tool, missing: error ? `user ${identity.uid} cannot run ${program}: ${error.message}` : null };
}

async function installWithPython(
  python: string,
  name: string,
  program: string,
  requirements: readonly string[],
): Promise<Tool> {
  const folder = path.join(CACHE, name.replaceAll(/[^\w.]/g, '-'));
  const file = path.join(folder, 'bin', program);
  // The environment has a `python` before the packages are installed, so this file says when they are.
  const mark = path.join(folder, 'installed');
  if (fs.existsSync(mark)) return { program: file, missing: null };
  try {
    await execute(python, ['-m', 'venv', folder]);
    await execute(path.join(folder, 'bin', 'pip'), ['install', '--quiet', ...requirements]);
    fs.writeFileSync(mark, '');
    return { program: file, missing: null };
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    const { stderr = '', message } = error as { stderr?: string; message: string };
    const reason = stderr.trim().split('\n').at(-1) || message;
    return { program: file, missing: `${requirements.join(', ')} cannot be installed: ${reason}` };
  }
}

/** Returns a program of an npm package, which is installed in a folder of its own if it is missing. */
export function installNpmProgram(name: string, version: string, program: string): Tool {
  const folder = path.join(CACHE, `${name}-${version}`);
  const file = path.join(folder, 'node_modules', name, program);
  if (fs.existsSync(file)) return { program: file, missing: null };
  const install = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--loglevel=error'];
  const reason = run('npm', [...install, `${name}@${version}`]);
  return { program: file, missing: reason && `${name}@${version} cannot be installed: ${reason}` };
}

/** Returns the class path with the dependencies of a pom.xml, which are downloaded if they are missing. */
export function installMavenJars(dependencies: string): Tool {
  const digest = createHash('sha256').update(dependencies).digest('hex').slice(0, 16);
  const folder = path.join(CACHE, `maven-${digest}`);
  const classPath = path.join(folder, 'lib', '*');
  if (fs.existsSync(path.dirname(classPath))) return { program: classPath, missing: null };
  fs.mkdirSync(folder, { recursive: true });
  const project = `<modelVersion>4.0.0</modelVersion><groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>`;
  fs.writeFileSync(
    path.join(folder, 'pom.xml'),
    `<project xmlns="http://maven.apache.org/POM/4.0.0">${project}${dependencies}</project>`,
  );
  const copy = ['--batch-mode', '--quiet', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
  const reason = run('mvn', copy, {}, folder);
  // Maven leaves the files that it has downloaded before an error.
  if (reason !== null) fs.rmSync(folder, { recursive: true, force: true });
  return { program: classPath, missing: reason && `the dependencies cannot be downloaded: ${reason}` };
}

/** Describes tests that need tools. If one is missing, the tests are skipped and their name contains the reason. */
export function describeWith(tools: readonly Tool[], title: string, tests: () => void): void {
  const reasons = tools.flatMap(({ missing }) => missing ?? []);
  if (reasons.length === 0) describe(title, tests);
  else describe.skip(`${title} (${reasons.join('; ')})`, tests);
}
