/**
 * Joins what the `burgee` command is made of, ours and its dependencies', into a few files below bin/bundle: a process
 * then reads 20 files at its start instead of 1,400. `tsc -b` comes before; see ADR 0037.
 */
import { rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'bin', 'bundle')
const OURS = new RegExp(`^${[root, ''].join(sep).replaceAll('\\', '\\\\')}(packages|bin)`)

/** A module that looks for a file beside it looks where it stood, and is one of the workspace's. */
const placesKept = {
  name: 'places-kept',
  transform: {
    // the bundler's own module takes built-in modules by it
    filter: { code: 'import.meta.url', id: { exclude: /rolldown\/runtime/ } },
    handler(code, id) {
      if (!OURS.test(id)) throw new Error(`${id} asks for its own place, and is not ours`)
      const path = JSON.stringify(relative(folder, id).split(sep).join('/'))
      return { code: code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`), map: null }
    },
  },
}

const bundle = await rolldown({
  input: { command: join(root, 'bin', 'dist', 'command.js') },
  platform: 'node',
  // optional parts of pg, and of the storage for backups, which say so themselves where they are wanted and not there
  external: ['pg-native', 'pg-cloudflare'],
  plugins: [placesKept],
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(log.message)
  },
})
rmSync(folder, { recursive: true, force: true })
await bundle.write({ dir: folder, format: 'esm', comments: { legal: true } })
await bundle.close()
