import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ApiDocument, apiReference } from '../.vitepress/api-reference.ts'

const DOCUMENTS = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), '.cache', 'openapi')
const NAMES = ['server', 'proxy', 'edge']

/** A page for each OpenAPI document that `npm run docs:site` has asked a running server, proxy and edge for. */
export default {
  paths: () =>
    NAMES.map((document) => {
      const file = readFileSync(join(DOCUMENTS, `${document}.json`), 'utf8')
      return { params: { document }, content: apiReference(JSON.parse(file) as ApiDocument) }
    }),
}
