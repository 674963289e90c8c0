import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
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

/** Writes the script, where it is not there as it is, and answers where. */
async function joinThread(root: string): Promise<string> {
  const bundle = await rolldown({ input: join(root, EMBEDDED, 'connection-thread.ts'), platform: 'node' })
  const { output } = await bundle.generate({ format: 'cjs' })
  await bundle.close()
  const [{ code }] = output
  const path = join(root, '.cache', 'connection-thread.cjs')
  if (textOf(path) === code) return path
  mkdirSync(join(root, '.cache'), { recursive: true })
  // other runs may be starting threads of it
  const beside = `${path}.${process.pid}`
  writeFileSync(beside, code)
  renameSync(beside, path)
  return path
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
