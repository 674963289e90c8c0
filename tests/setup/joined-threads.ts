import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import type { Plugin } from 'vitest/config'

const SQLITE_DRIVER = 'packages/storage/src/drivers/sqlite'
const SOURCE = `\`./connection-thread\${extname(import.meta.url)}\``

/**
 * Bundles the threads of embedded databases, of which each server starts several, into one script. When running from
 * sources, each thread would otherwise strip types and resolve modules, which takes several times the work of its
 * start. Throws if the module that starts threads does not name their script in the expected way.
 */
export async function joinedThreads(root: string): Promise<Plugin> {
  const place = pathToFileURL(await joinThread(root)).href
  return {
    name: 'joined-threads',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/drivers/sqlite/sqlite-thread.ts')) return undefined
      if (!code.includes(SOURCE)) throw new Error(`${id} does not name its thread by ${SOURCE}`)
      return code.replace(SOURCE, JSON.stringify(place))
    },
  }
}

/**
 * Writes the script and returns its path. The file is replaced atomically, because another run may be starting threads
 * from it.
 */
async function joinThread(root: string): Promise<string> {
  const folder = join(root, '.cache')
  const beside = join(folder, `connection-thread-${process.pid}.cjs`)
  const bundle = await rolldown({ input: join(root, SQLITE_DRIVER, 'connection-thread.ts'), platform: 'node' })
  await bundle.write({ file: beside, format: 'cjs' })
  await bundle.close()
  const path = join(folder, 'connection-thread.cjs')
  renameSync(beside, path)
  return path
}
