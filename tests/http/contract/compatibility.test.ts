import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { PROBLEMS } from '@burgee/protocol/problem'
import { expect, test } from 'vitest'
import { startServer } from '../scenario.ts'
import { BODIES_PAGE, OVERVIEW_PAGE, provenRows, readServerPages } from './server-pages.ts'
import { fieldLines } from './spec-fields.ts'

/** The pages make no claim without a test and omit no endpoint. */
const ROOT = new URL('../../..', import.meta.url)
const text = readServerPages()
const rows = provenRows(text).map((line) => ({ line, shown: [...line.matchAll(/`([^`]+\.ts)` "(.+?)" \|/g)] }))

test('the pages have rows', () => {
  expect(rows.length).toBeGreaterThan(150)
})

test.each(rows)('$line names a test that exists', ({ shown }) => {
  expect(shown.length).toBeGreaterThan(0)
  for (const [, path = '', name = ''] of shown) {
    expect(existsSync(new URL(path, ROOT)), path).toBe(true)
    const source = readFileSync(new URL(path, ROOT), 'utf8')
    const forms = ["'", '"', '`'].map((quote) => `${quote}${name}${quote}`)
    expect(
      forms.some((form) => source.includes(form)),
      name,
    ).toBe(true)
  }
})

/** Returns a route in the notation of the document. The fallback for unknown paths counts as one route. */
const callOf = ({ method, url }: { readonly method: string; readonly url: string }): string =>
  url === '/api/*' ? '* /api/*' : `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`

test('every route of the code has its row, and every row its route', async () => {
  const server = await startServer()
  try {
    const calls = [...new Set(server.server.routes.map(callOf))]
    expect(calls.length).toBeGreaterThan(150)
    expect(calls.filter((call) => !text.includes(`| \`${call}\` |`))).toEqual([])
    const named = [...text.matchAll(/^\| `((?:GET|POST|PUT|PATCH|DELETE|\*) \/[^`]*)` \|/gm)].map(
      ([, call = '']) => call,
    )
    expect(named.filter((call) => !calls.includes(call))).toEqual([])
  } finally {
    await server.close()
  }
})

/** Heading of the generated part of the page of bodies. `UPDATE_DOCS=1` rewrites it. */
const FIELDS_HEADING = '### Reply of'

test('the page of bodies lists every field of the documented endpoints', () => {
  const page = readFileSync(BODIES_PAGE, 'utf8')
  const wanted = `${page.slice(0, page.indexOf(FIELDS_HEADING))}${fieldLines().join('\n')}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(BODIES_PAGE, wanted)
  else expect(page).toBe(wanted)
})

test('every status has its error', () => {
  const statuses = Object.entries(PROBLEMS).filter(([, status]) => status !== 429)
  const rowOf = ([name, status]: [string, number]) => `| ${status} | \`${name}\` |`
  expect(statuses.map(rowOf).filter((row) => !text.includes(row))).toEqual([])
})

test('the pages of server and proxy link to each other', () => {
  const proxy = readFileSync(new URL('docs/compatibility.md', ROOT), 'utf8')
  const [, top = ''] = proxy.split('\n\n')
  expect(top).toContain('](compatibility-server.md)')
  expect(readFileSync(OVERVIEW_PAGE, 'utf8').split('\n\n')[1]).toContain('](compatibility.md)')
})
