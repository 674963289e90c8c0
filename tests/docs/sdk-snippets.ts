import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Named snippet of the SDK pages: `react.tsx`, `checkout.svelte`. */
export interface SdkSnippet {
  readonly file: string
  readonly code: string
}

const PAGES = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs', 'sdks')

/** Returns the snippets of docs/sdks whose packages are on npm. */
export function sdkSnippets(): readonly SdkSnippet[] {
  return ['servers', 'web', 'mobile'].flatMap((page) => {
    const text = readFileSync(join(PAGES, `${page}.md`), 'utf8')
    return [...text.matchAll(/^```(tsx?|svelte) (\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, name, code = '']) => ({
      file: `${name}.${kind}`,
      code,
    }))
  })
}

/** Returns the code of a snippet. Throws if the pages contain no snippet with this name. */
export function sdkSnippet(file: string): string {
  const found = sdkSnippets().find((one) => one.file === file)
  if (found === undefined) throw new Error(`docs/sdks has no snippet ${file}`)
  return found.code
}
