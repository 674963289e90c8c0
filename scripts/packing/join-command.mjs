import { rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Root folder of the workspace. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const OURS = new RegExp(`^${[ROOT, ''].join(sep).replaceAll('\\', '\\\\')}(packages|bin)`)
/** Optional dependencies of pg. If one is needed but missing, pg itself reports the error. */
const EXTERNAL = ['pg-native', 'pg-cloudflare']

/**
 * Bundles a built module and all of its imports, including dependencies, into a few files of `folder`. Returns the
 * paths of the bundled modules. Writes nothing if `folder` is omitted.
 *
 * A workspace module may load a file located beside itself (`import.meta.url`). `placeOf` maps the module's path in the
 * workspace to a path relative to `folder`, which replaces `import.meta.url`. If `placeOf` is omitted, the original
 * path is used. Throws if a third-party dependency uses `import.meta.url`.
 */
export async function joinModules({ name, entry, folder, placeOf }) {
  const place = placeOf ?? ((id) => relative(folder ?? ROOT, join(ROOT, id)))
  const bundle = await rolldown({
    input: { [name]: join(ROOT, entry) },
    platform: 'node',
    external: EXTERNAL,
    // ES modules, so that only the parts that are used are bundled
    resolve: { mainFields: ['module', 'main'] },
    plugins: [keepModuleUrls(place)],
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

/** The `burgee` command. */
export const COMMAND = { name: 'command', entry: 'bin/dist/command.js' }

function keepModuleUrls(place) {
  return {
    name: 'keep-module-urls',
    transform: {
      // the code that the bundler adds uses `import.meta.url` to load built-in modules
      filter: { code: 'import.meta.url', id: { exclude: /rolldown\/runtime/ } },
      handler(code, id) {
        if (!OURS.test(id)) throw new Error(`${id} asks for its own place, and is not ours`)
        const path = JSON.stringify(place(relative(ROOT, id)).split(sep).join('/'))
        return { code: code.replaceAll('import.meta.url', `new URL(${path}, import.meta.url).href`), map: null }
      },
    },
  }
}
