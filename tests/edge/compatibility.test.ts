import { existsSync, readFileSync } from 'node:fs'
import { EDGE_OPTIONS } from '@burgee/edge/options'
import type { OptionTable } from '@burgee/kit/options/options'
import { describe, expect, test } from 'vitest'
import { startScene } from './http/edge-scene.ts'

/** The document makes no claim without a test, and omits no endpoint and no option. */
const ROOT = new URL('../..', import.meta.url)
const text = readFileSync(new URL('docs/compatibility-edge.md', ROOT), 'utf8')
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.includes('| Shown by |'))
  .map((line) => ({ line, shown: [...line.matchAll(/`([^`]+\.ts)` "(.+?)" \|/g)] }))

test('the document has rows to look at', () => {
  expect(rows.length).toBeGreaterThan(120)
})

test.each(rows)('$line names a test that exists', ({ shown }) => {
  expect(shown.length).toBeGreaterThan(0)
  for (const [, path = '', name = ''] of shown) {
    expect(existsSync(new URL(path, ROOT)), path).toBe(true)
    const source = readFileSync(new URL(path, ROOT), 'utf8')
    expect(
      ["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`)),
      name,
    ).toBe(true)
  }
})

test('every endpoint has its row, and every row its endpoint', async () => {
  const scene = await startScene({
    DISABLE_TOKENS_ENDPOINT: 'false',
    DISABLE_FEATURES_ENDPOINT: 'false',
    DISABLE_METRICS_BATCH_ENDPOINT: 'false',
    DISABLE_INSTANCE_DATA_ENDPOINT: 'false',
  })
  const { json } = await scene.ask('GET /docs/openapi.json')
  await scene.close()
  const { paths } = json as { paths: Record<string, object> }
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(calls.length).toBeGreaterThan(40)
  expect(calls.filter((call) => !text.includes(`| \`${call}\` |`))).toEqual([])
  const named = [...text.matchAll(/^\| `((?:GET|POST) \/[^`]*)` \|/gm)].map(([, call = '']) => call)
  expect(named.filter((call) => !calls.includes(call) && !call.includes('/docs/'))).toEqual([])
})

describe('every option and variable has its row', () => {
  test.each(Object.entries(EDGE_OPTIONS as OptionTable))('%s', (option, { env = [] }) => {
    const line = rows.find((one) => one.line.startsWith(`| \`${option}\` |`))?.line ?? ''
    expect(line).not.toBe('')
    for (const variable of env) expect(line).toContain(`\`${variable}\``)
  })
})
