import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const DOCS = fileURLToPath(new URL('../../../docs/', import.meta.url))

/** Overview page of the server's compatibility. */
export const OVERVIEW_PAGE = join(DOCS, 'compatibility-server.md')
/** Page that lists the fields of documented endpoints. */
export const BODIES_PAGE = join(DOCS, 'compatibility-server', 'bodies.md')

/** Reads the overview and all of its pages, and joins their texts. */
export function readServerPages(): string {
  const paths = globSync('compatibility-server/*.md', { cwd: DOCS }).sort()
  return [OVERVIEW_PAGE, ...paths.map((path) => join(DOCS, path))].map((path) => readFileSync(path, 'utf8')).join('\n')
}

/** Returns the rows of those tables whose last column names a test. */
export function provenRows(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((block) => block.split('\n'))
    .filter(([header = '']) => header.endsWith('| Shown by |'))
    .flatMap(([, , ...rows]) => rows.filter((row) => row !== ''))
}
