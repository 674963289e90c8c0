import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A snippet of the SDK pages that has a name: `react.tsx`, `checkout.svelte`. */
export interface SdkSnippet {
  readonly file: string
  readonly code: string
}

const PAGES = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs', 'sdks')

/** The snippets of docs/sdks whose packages are on npm. */
export function sdkSnippets(): readonly SdkSnippet[] {
  return ['servers', 'web', 'mobile'].flatMap((page) => {
    const text = readFileSync(join(PAGES, `${page}.md`), 'utf8')
    return [...text.matchAll(/^```(tsx?|svelte) (\w+)\n([\s\S]*?)^```$/gm)].map(([, kind, name, code = '']) => ({
      file: `${name}.${kind}`,
      code,
    }))
  })
}

/** The code of the snippet with this name. Throws where the pages have none. */
export function sdkSnippet(file: string): string {
  const found = sdkSnippets().find((one) => one.file === file)
  if (found === undefined) throw new Error(`docs/sdks has no snippet ${file}`)
  return found.code
}
