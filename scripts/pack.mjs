/**
 * Creates the published tarballs of `burgee`, `@burgee/engine`, `@burgee/proxy` and `@burgee/testing` in
 * .cache/packages, or in a given folder. Build the workspace first (`node scripts/setup.mjs`). On GitHub, the manifests name the repository that built
 * the packages, because provenance is checked against this name.
 */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { ROOT } from './packing/join-command.mjs'
import { makePackages } from './packing/packages.mjs'

const folder = resolve(process.argv[2] ?? resolve(ROOT, '.cache', 'packages'))
const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: name } = process.env
await makePackages(folder, host && name ? `git+${host}/${name}.git` : undefined)
const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
const [file, ...args] = [...npm, 'pack', '--loglevel=error', '--pack-destination', folder]
const { status } = spawnSync(file, [...args, './burgee', './engine', './proxy', './testing'], {
  cwd: folder,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
