import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { installDebianProgram, type Tool } from './tools.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The tools that build and run the image. */
export const IMAGE_TOOLS: readonly Tool[] = [
  installDebianProgram('buildah'),
  installDebianProgram('mmdebstrap'),
  installDebianProgram('unshare', 'util-linux'),
];

/** The part of an image's configuration that decides how its processes run. */
interface ImageConfig {
  readonly Entrypoint: readonly string[];
  readonly Env: readonly string[];
  readonly User: string;
  readonly WorkingDir: string;
}

/** A process of the image and its output. */
export interface ImageProcess {
  readonly process: ChildProcess;
  readonly text: () => string;
  readonly ended: Promise<number | null>;
}

/** The image of the Containerfile, built on a Debian that replaces the public base image. */
export class Image {
  private constructor(
    private readonly config: ImageConfig,
    private readonly files: string,
  ) {}

  static build(directory: string): Image {
    const storage = ['--root', path.join(directory, 'storage'), '--runroot', path.join(directory, 'run')];
    const buildah = (...args: string[]): string =>
      execFileSync('buildah', [...storage, '--storage-driver', 'vfs', ...args], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, BUILDAH_ISOLATION: 'chroot' },
      }).trim();
    makeBases(directory, buildah);
    const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    const values = { BASE: 'localhost/base', BUILD_BASE: 'localhost/build-base', COMMIT: commit };
    buildah(
      ...['bud', '--quiet', '--network', 'host', '--ignorefile', '.dockerignore', '--tag', 'localhost/strata'],
      ...['--file', 'deploy/image/Containerfile'],
      ...Object.entries(values).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      '.',
    );
    const { OCIv1 } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/strata')) as {
      readonly OCIv1: { readonly config: ImageConfig };
    };
    return new Image(OCIv1.config, buildah('mount', buildah('from', 'localhost/strata')));
  }

  get user(): string {
    return this.config.User;
  }

  /** Returns the path of a file of the image. */
  file(at: string): string {
    return path.join(this.files, at);
  }

  /** Removes all shells, so that the tests show that no process needs one. */
  removeShells(): void {
    for (const name of ['sh', 'dash', 'bash', 'rbash'])
      for (const folder of ['bin', 'usr/bin']) fs.rmSync(this.file(path.join(folder, name)), { force: true });
  }

  /** Runs the entry point as its user, on a read-only file system with an empty /tmp, as the compose file does. */
  start(command: readonly string[], settings: Readonly<Record<string, string>>): ImageProcess {
    const script = `
      mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && mount -t tmpfs tmpfs "$0/tmp" &&
      mount -t proc proc "$0/proc" && cd "$0" && user=$1 && shift && chroot=$(command -v chroot) && PATH=$IMAGE_PATH &&
      unset IMAGE_PATH && exec "$chroot" --userspec="$user" . "$@"`;
    const env: Record<string, string> = {
      ...Object.fromEntries(this.config.Env.map((line) => line.split(/=(.*)/s))),
      ...settings,
    };
    const child = spawn(
      'unshare',
      ['--mount', 'bash', '-c', script, this.files, this.user, ...this.config.Entrypoint, ...command],
      { env: { ...env, PATH: process.env.PATH, IMAGE_PATH: env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (text += data));
    const whenEnded = once(child, 'close').then(([code]) => code as number | null);
    return { process: child, text: () => text, ended: whenEnded };
  }
}

/** Creates the two base images: a Debian with Node, and the same with npm. */
function makeBases(directory: string, buildah: (...args: string[]) => string): void {
  const tar = path.join(directory, 'debian.tar');
  const lists = '/etc/apt/sources.list.d';
  const sourceList = fs.existsSync(lists)
    ? fs.readdirSync(lists).filter((name) => /^debian\.(sources|list)$/.test(name))
    : [];
  execFileSync(
    'mmdebstrap',
    [
      ...['--quiet', '--variant=essential', '--include=libatomic1,libstdc++6', 'bookworm', tar],
      ...sourceList.map((name) => path.join(lists, name)),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const container = buildah('from', 'scratch');
  buildah('add', '--quiet', container, tar, '/');
  buildah('copy', '--quiet', container, fs.realpathSync(process.execPath), '/usr/local/bin/node');
  buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  buildah('commit', '--quiet', container, 'localhost/base');
  const npm = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();
  const npmFolder = path.resolve(npm, '../..');
  buildah('copy', '--quiet', container, npmFolder, '/usr/local/lib/node_modules/npm');
  for (const name of ['npm', 'npx'])
    buildah('run', container, '--', 'ln', '-s', `../lib/node_modules/npm/bin/${name}-cli.js`, `/usr/local/bin/${name}`);
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities) {
    buildah('copy', '--quiet', container, authorities, '/authorities.pem');
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/authorities.pem', container);
  }
  buildah('commit', '--quiet', container, 'localhost/build-base');
  buildah('rm', container);
  fs.rmSync(tar);
}
