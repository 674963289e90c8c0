import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { haveDebian } from '../setup/debian.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const BUILD_LIMIT_MS = 300_000
/** Packages that a slim Debian image of Node contains in addition to Node, and that Burgee's image uses. */
const BASE_PACKAGES = [
  ...['dash', 'coreutils', 'libc6', 'libstdc++6', 'libgcc-s1', 'libatomic1'],
  ...['libselinux1', 'libpcre2-8-0', 'libacl1', 'libattr1', 'libgmp10', 'libcrypt1'],
]
const MERGED = ['bin', 'sbin', 'lib', 'lib64']
const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/tmp:/bin/sh\n'
const GROUP = 'root:x:0:\nnode:x:1000:\n'

/**
 * Podman with a separate storage, without a daemon and without a network. Podman runs containers with runc, which
 * supports both cgroup versions.
 */
export class Podman {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Runs a command and returns the output of both streams. If the command fails, rejects with an Error that includes
   * this output.
   */
  async run(...args: readonly string[]): Promise<string> {
    const place = ['--root', join(this.#folder, 'storage'), '--runroot', join(this.#folder, 'run')]
    const kind = ['--runtime', 'runc', '--cgroup-manager', 'cgroupfs', '--storage-driver', 'overlay']
    const options = { cwd: ROOT, timeout: BUILD_LIMIT_MS }
    const { stdout, stderr } = await promisify(execFile)('podman', [...place, ...kind, ...args], options)
    // removes warnings about systemd timers, which Podman does not need
    return `${stdout}${stderr}`.replace(/^time="[^"]+" level=\w+ msg="[^\n]*systemd[^\n]*\n/gm, '')
  }

  /**
   * Creates an image from local files (Debian's libraries, a shell, and the Node that runs the tests). This image
   * replaces the official base image, which cannot be downloaded here.
   */
  async makeBase(name: string): Promise<void> {
    const base = join(this.#folder, 'base')
    for (const folder of MERGED) {
      mkdirSync(join(base, 'usr', folder), { recursive: true })
      symlinkSync(join('usr', folder), join(base, folder))
    }
    for (const folder of ['tmp', 'etc', 'proc', 'sys', 'dev', 'usr/local/bin'])
      mkdirSync(join(base, folder), { recursive: true })
    const listed = execFileSync('dpkg', ['-L', ...BASE_PACKAGES], { encoding: 'utf8' }).split('\n')
    const files = listed.filter((path) => !path.startsWith('/usr/share/') && isFile(path))
    for (const path of files) cpSync(path, join(base, path), { verbatimSymlinks: true, recursive: true })
    cpSync(realpathSync(process.execPath), join(base, 'usr/local/bin/node'))
    writeFileSync(join(base, 'etc/passwd'), PASSWD)
    writeFileSync(join(base, 'etc/group'), GROUP)
    const tarball = join(this.#folder, 'base.tar')
    execFileSync('tar', ['-cf', tarball, '-C', base, '.'])
    await this.run('import', '--change', 'ENV PATH=/usr/local/bin:/usr/bin:/bin', tarball, name)
    rmSync(tarball)
    rmSync(base, { recursive: true })
  }
}

/**
 * Creates Podman with a base image of this name. Returns undefined and prints the reason if containers cannot run here.
 */
export async function openPodman(folder: string, base: string, limits: readonly string[]): Promise<Podman | undefined> {
  const podman = new Podman(folder)
  try {
    await podman.makeBase(base)
    await podman.run('run', '--rm', ...limits, base, 'node', '--version')
    return podman
  } catch (error) {
    process.stderr.write(`Containers cannot be run here: ${error instanceof Error ? error.message : String(error)}\n`)
    return undefined
  }
}

/**
 * Returns true if Podman is present or can be installed, and `dpkg` is present, which lists the files for the base
 * image.
 */
export function havePodman(): boolean {
  return process.getuid?.() === 0 && haveDebian(['podman', 'runc', 'conmon', 'dpkg'], ['podman', 'runc', 'conmon'])
}

/** Returns true for files and links to files. Folders, and links to folders, already exist in the image. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
