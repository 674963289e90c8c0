import { rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** The folder of the workspace. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const OURS = new RegExp(`^${[ROOT, ''].join(sep).replaceAll('\\', '\\\\')}(packages|bin)`)
/** Optional parts of pg, and of the storage for backups, which say so themselves where they are wanted and not there. */
const EXTERNAL = ['pg-native', 'pg-cloudflare']

/**
 * Joins a built module and all that it imports, ours and the dependencies', into a few files of `folder`, and answers with
 * the paths of the modules that are in them. Without `folder` it writes nothing.
 *
 * A module that looks for a file beside it (`import.meta.url`) is told the place that `placeOf` gives for its path in the
 * workspace, relative to `folder`; without one, where it stood. A dependency that does so fails.
 */
export async function joinModules({ name, entry, folder, placeOf }) {
  const place = placeOf ?? ((id) => relative(folder ?? ROOT, join(ROOT, id)))
  const bundle = await rolldown({
    input: { [name]: join(ROOT, entry) },
    platform: 'node',
    external: EXTERNAL,
    plugins: [placesKept(place)],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const options = { format: 'esm', comments: { legal: true } }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  const { output } =
    folder === undefined ? await bundle.generate(options) : await bundle.write({ dir: folder, ...options })
  await bundle.close()
  return output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
}

/** The command itself. */
export const COMMAND = { name: 'command', entry: 'bin/dist/command.js' }

function placesKept(place) {
  return {
    name: 'places-kept',
    transform: {
      // the bundler's own module takes built-in modules by it
      filter: { code: 'import.meta.url', id: { exclude: /rolldown\/runtime/ } },
      handler(code, id) {
        if (!OURS.test(id)) throw new Error(`${id} asks for its own place, and is not ours`)
        const path = JSON.stringify(place(relative(ROOT, id)).split(sep).join('/'))
        return { code: code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`), map: null }
      },
    },
  }
}
