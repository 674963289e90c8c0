import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The last version of the established server under a permissive licence: what follows must never be installed. */
export const PEER_VERSION = '5.12.8'

const FOLDER = fileURLToPath(new URL('../../.cache/peer-server/', import.meta.url))
const SCRIPT = join(FOLDER, 'node_modules', 'unleash-server', 'dist', 'server.js')

/**
 * The script that starts the established server, installed into a folder of its own the first time, without running
 * any script of a package; undefined, with a word on the terminal, where it cannot be had. It is a black box: the bench
 * looks at what it answers and never into it.
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
