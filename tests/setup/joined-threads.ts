import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import type { Plugin } from 'vitest/config'

const EMBEDDED = 'packages/server/src/store/embedded'
const SOURCE = `\`./connection-thread\${extname(import.meta.url)}\``

/**
 * Runs the threads of embedded databases, of which each server starts some, as one script: for its sources each thread
 * loads what takes their types away and looks for modules, several times the work of its start. Throws where the module
 * that starts threads names theirs in another way than is looked for.
 */
export async function joinedThreads(root: string): Promise<Plugin> {
  const place = pathToFileURL(await joinThread(root)).href
  return {
    name: 'joined-threads',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/embedded/sqlite-thread.ts')) return undefined
      if (!code.includes(SOURCE)) throw new Error(`${id} does not name its thread by ${SOURCE}`)
      return code.replace(SOURCE, JSON.stringify(place))
    },
  }
}

/** Writes the script and answers where; a run that starts threads of it meanwhile finds the whole of it. */
async function joinThread(root: string): Promise<string> {
  const folder = join(root, '.cache')
  const beside = join(folder, `connection-thread-${process.pid}.cjs`)
  const bundle = await rolldown({ input: join(root, EMBEDDED, 'connection-thread.ts'), platform: 'node' })
  await bundle.write({ file: beside, format: 'cjs' })
  await bundle.close()
  const path = join(folder, 'connection-thread.cjs')
  renameSync(beside, path)
  return path
}
