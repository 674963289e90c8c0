import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startServer } from '../scenario.ts'
import { OVERVIEW_PAGE } from './server-pages.ts'

/**
 * Operations of Unleash, and whether Burgee supports them. The list is Unleash's own, grouped like its documentation.
 */
const GROUPS = JSON.parse(readFileSync(new URL('./established-operations.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly string[]>
>
const DOCUMENT = readFileSync(OVERVIEW_PAGE, 'utf8')
const ALL = Object.values(GROUPS).flat()
/** Ignores parameter names. */
const shapeOf = (call: string) => call.replaceAll(/\{\w+\}|:\w+/g, '{}')

test('the list names 195 operations, each once', () => {
  expect(ALL).toHaveLength(195)
  expect(new Set(ALL.map(shapeOf)).size).toBe(195)
})

test('all are here, and the document counts them', async () => {
  const server = await startServer()
  try {
    const routes = new Set(server.server.routes.map(({ method, url }) => shapeOf(`${method} ${url}`)))
    const isHere = (call: string) => routes.has(shapeOf(call))
    expect(ALL.filter((call) => !isHere(call))).toEqual([])
    const rows = Object.entries(GROUPS).map(
      ([group, calls]) => `| ${group} | ${calls.filter(isHere).length} of ${calls.length} |`,
    )
    const section = DOCUMENT.split('## Operations of the Unleash server\n')[1] ?? ''
    expect(section.split('\n').filter((line) => /^\| .* of \d+ \|$/.test(line))).toEqual([
      ...rows,
      `| All | ${ALL.filter(isHere).length} of ${ALL.length} |`,
    ])
  } finally {
    await server.close()
  }
})
