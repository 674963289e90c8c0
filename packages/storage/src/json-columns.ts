import type { KyselyPlugin } from 'kysely'
import { JSON_COLUMNS } from './database.ts'

/**
 * Parses the columns whose names are in the list of JSON columns. A parser that guessed from the content would turn a
 * description such as `{}` into an object. Both databases store JSON as text, so key order, `__proto__` and escaped NUL
 * characters are preserved.
 */
export const PARSE_JSON: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    const [first] = result.rows
    if (first === undefined) return result
    const columns = JSON_COLUMNS.filter((column) => Object.hasOwn(first, column))
    for (const row of result.rows) {
      for (const column of columns) {
        const text = row[column]
        if (typeof text === 'string') row[column] = JSON.parse(text)
      }
    }
    return result
  },
}
