import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startServer } from './scenario.ts'

/** The document says nothing that no test shows, and leaves no endpoint out. */
const ROOT = new URL('../../', import.meta.url)
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

test('every endpoint has its row', async () => {
  const server = await startServer()
  try {
    const reply = await server.call({ call: 'GET /docs/openapi.json' })
    const { paths } = reply.json() as { paths: Record<string, object> }
    const calls = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(calls.filter((call) => !text.includes(`| \`${call}\` |`))).toEqual([])
  } finally {
    await server.close()
  }
})
