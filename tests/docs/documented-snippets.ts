import { compile } from 'svelte/compiler'
import type { Plugin } from 'vite'
import { sdkSnippet } from './sdk-snippets.ts'

const PREFIX = 'documented:'
/** What the pages say to put in is asked of the address of the page here. */
const ASKED = [
  ["'http://localhost:4242/api/frontend'", "new URLSearchParams(location.search).get('url')"],
  ["'<frontend token>'", "new URLSearchParams(location.search).get('key')"],
] as const
/** Modules that a snippet names by the file that its page calls it. */
const NAMES: Readonly<Record<string, string>> = { './flags': `${PREFIX}svelteflags.ts` }

/** Snippets of docs/sdks as modules: `documented:react.tsx`. What is beside them is found from `folder`. */
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
