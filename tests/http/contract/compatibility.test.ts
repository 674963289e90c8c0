import { existsSync, readFileSync } from 'node:fs'
import { PROBLEMS } from '@burgee/protocol/problem'
import { expect, test } from 'vitest'
import { startServer } from '../scenario.ts'
import { fieldLines } from './spec-fields.ts'

/** The document makes no claim without a test and omits no endpoint. */
const ROOT = new URL('../../..', import.meta.url)
const text = readFileSync(new URL('docs/compatibility-server.md', ROOT), 'utf8')
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.includes('| Shown by |'))
  .map((line) => ({ line, shown: [...line.matchAll(/`([^`]+\.ts)` "(.+?)" \|/g)] }))

test('the document has rows to look at', () => {
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

/** Returns a route as the document names it. The fallback for unknown paths counts as one. */
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

test('every field of the documented endpoints has its row, and every status its error', () => {
  expect(fieldLines().filter((line) => line !== '' && !text.includes(line))).toEqual([])
  const statuses = Object.entries(PROBLEMS).filter(([, status]) => status !== 429)
  const rowOf = ([name, status]: [string, number]) => `| ${status} | \`${name}\` |`
  expect(statuses.map(rowOf).filter((row) => !text.includes(row))).toEqual([])
})

test('the two documents lead to each other', () => {
  const proxy = readFileSync(new URL('docs/compatibility.md', ROOT), 'utf8')
  const [, top = ''] = proxy.split('\n\n')
  expect(top).toContain('](compatibility-server.md)')
  expect(text.split('\n\n')[1]).toContain('](compatibility.md)')
})
