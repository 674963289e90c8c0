import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Last version of Unleash under a permissive license: later versions must never be installed. */
export const PEER_VERSION = '5.12.8'

const FOLDER = fileURLToPath(new URL('../../.cache/peer-server/', import.meta.url))
const SCRIPT = join(FOLDER, 'node_modules', 'unleash-server', 'dist', 'server.js')

/**
 * Returns the start script of Unleash. On first use, installs it into a separate folder without running package
 * scripts. If Unleash is not available, prints a message and returns undefined. Unleash is treated as a black box: the
 * benchmark uses its responses and never its source.
 */
export function peerScript(): string | undefined {
  if (existsSync(SCRIPT)) return SCRIPT
  console.log(`Installing unleash-server ${PEER_VERSION} into .cache/peer-server ...`)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'package.json'), '{"private":true}\n')
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const [command = 'npm', ...first] = npm
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const args = [...first, 'install', ...flags, `unleash-server@${PEER_VERSION}`]
  const { status } = spawnSync(command, args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status === 0 && existsSync(SCRIPT)) return SCRIPT
  console.log(`unleash-server ${PEER_VERSION} is not to be had here: its figures are left out`)
  return undefined
}
