import { compile } from 'svelte/compiler'
import type { Plugin } from 'vite'
import { sdkSnippet } from './sdk-snippets.ts'

const PREFIX = 'documented:'
/** Placeholders in the snippets, which are replaced with parameters of the page's URL. */
const ASKED = [
  ["'http://localhost:4242/api/frontend'", "new URLSearchParams(location.search).get('url')"],
  ["'<frontend token>'", "new URLSearchParams(location.search).get('key')"],
] as const
/** Modules that a snippet imports by the file name given on its page. */
const NAMES: Readonly<Record<string, string>> = { './flags': `${PREFIX}svelteflags.ts` }

/**
 * Resolves snippets of docs/sdks as modules: `documented:react.tsx`. Imports in snippets are resolved from `folder`.
 */
export function documentedSnippets(folder: string): Plugin {
  return {
    name: 'documented-snippets',
    enforce: 'pre',
    resolveId: (source) => {
      const name = NAMES[source] ?? source
      return name.startsWith(PREFIX) ? `${folder}/documented/${name.slice(PREFIX.length)}` : undefined
    },
    load: (id) => {
      const [, file] = /\/documented\/([^/]+)$/.exec(id) ?? []
      if (file === undefined) return undefined
      const code = ASKED.reduce((text, [from, to]) => text.replaceAll(from, to), sdkSnippet(file))
      if (!file.endsWith('.svelte')) return code
      return compile(code, { filename: id, generate: 'client', name: 'Checkout' }).js.code
    },
  }
}
