import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const JOINED = join(ROOT, 'bin', 'bundle', 'command.js')

/** Bundles the command again if a module was compiled after the bundle, so that tests never run an outdated command. */
export function setup(): void {
  const compiled = globSync(['packages/*/dist/.tsbuildinfo', 'bin/dist/.tsbuildinfo'], { cwd: ROOT })
  const newest = Math.max(...compiled.map((path) => modifiedAt(join(ROOT, path))))
  if (newest < modifiedAt(JOINED)) return
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'bundle.mjs')], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The command could not be joined; `npm run build` says more')
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
