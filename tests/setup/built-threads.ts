import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vitest/config'

const SERVER = 'packages/server'
const SOURCE = `\`./connection-thread\${extname(import.meta.url)}\``
const BUILT = 'dist/store/embedded/connection-thread.js'

/**
 * Runs the threads of embedded databases as they were built: for its sources each thread loads what takes their types
 * away, three times the work of its start. Undefined where something of the store has changed since; the runner keeps
 * modules by which plugins there are, so that it is decided here and not for each. The plugin throws where the module
 * that starts threads names theirs in another way than it looks for.
 */
export function builtThreads(root: string): Plugin | undefined {
  if (!isBuilt(join(root, SERVER))) return undefined
  return {
    name: 'built-threads',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/embedded/sqlite-thread.ts')) return undefined
      if (!code.includes(SOURCE)) throw new Error(`${id} does not name its thread by ${SOURCE}`)
      return code.replace(SOURCE, `'../../../${BUILT}'`)
    },
  }
}

function isBuilt(folder: string): boolean {
  const modifiedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const sources = globSync('src/store/**/*.ts', { cwd: folder }).filter((path) => !path.endsWith('.test.ts'))
  return (
    Math.max(...sources.map((path) => modifiedAt(join(folder, path)))) < modifiedAt(join(folder, 'dist/.tsbuildinfo'))
  )
}
