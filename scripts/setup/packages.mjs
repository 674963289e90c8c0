import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Workspaces with tools that `npm start` does not need; their names are also arguments of scripts/setup.mjs. Maps each
 * name to a package that is present only if the workspace is installed.
 */
export const TOOLS = { docs: 'vitepress', tests: 'vitest' }

/** Files in installed packages that neither a build nor a process reads: C headers of Node, and source maps. */
const UNREAD = /(^|\/)node-[a-z\d-]+\/include$|\.map$/

/** Returns true if a path in node_modules, written with slashes, should be removed after an installation. */
export function isUnread(path) {
  return UNREAD.test(path)
}

/** Removes the files that nothing reads. */
export function removeUnread(root) {
  const folder = join(root, 'node_modules')
  const paths = readdirSync(folder, { recursive: true }).map((path) => path.replaceAll('\\', '/'))
  for (const path of paths.filter(isUnread)) rmSync(join(folder, path), { recursive: true, force: true })
}

/** Returns the folders of the workspaces to install: all that are published or built, and those of the given tools. */
export function listWorkspaces(root, tools) {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)
  return [...packages.filter((path) => existsSync(join(root, path, 'package.json'))).sort(), 'bin', ...tools]
}

/** Returns the tools whose packages are in node_modules. */
export function listInstalledTools(root) {
  return Object.keys(TOOLS).filter((tool) => existsSync(join(root, 'node_modules', TOOLS[tool])))
}

/**
 * Returns the arguments for npm. `ci` replaces node_modules with the packages of the lockfile. `install` adds missing
 * packages and changes no other packages, so that a server can continue to run from this folder. The cache is not
 * revalidated, because the lockfile contains versions and checksums.
 */
export function npmArguments(command, workspaces) {
  const mode = command === 'ci' ? ['ci'] : ['install', '--no-save']
  const chosen = workspaces.map((folder) => `--workspace=${folder}`)
  const kinds = ['--include-workspace-root', '--include=dev', '--include=optional']
  return [...mode, ...chosen, ...kinds, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
}

/**
 * Marks npm's record of the contents of node_modules as current. Builds and `removeUnread` change folders in
 * node_modules, and npm would therefore consider the record outdated and download every package again. Otherwise npm
 * would consider the record outdated and download every package again.
 */
export function renewRecord(root) {
  const record = join(root, 'node_modules', '.package-lock.json')
  const now = new Date()
  if (existsSync(record)) utimesSync(record, now, now)
}
