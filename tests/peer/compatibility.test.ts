import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { PROXY_OPTIONS } from '@burgee/proxy/options'
import { describe, expect, test } from 'vitest'
import { startProxy } from '../support/proxy.ts'
import { startUpstream } from '../support/upstream.ts'
import { DIFFERENCES } from './differences.ts'

/** The document makes no claim without a test and omits no option and no difference. */
const ROOT = new URL('../..', import.meta.url)
const PAGE = new URL('docs/compatibility.md', ROOT)
const HEADING = '## Deliberate differences\n'
const document = readFileSync(PAGE, 'utf8')
const [claims = '', differences = ''] = document.split(HEADING)

const table = [
  '| Name | The Unleash Proxy | Burgee | Why it is safe |',
  '| --- | --- | --- | --- |',
  ...DIFFERENCES.map(({ id, peer, ours, safe }) => `| ${id} | ${peer} | ${ours} | ${safe} |`),
  '',
].join('\n')

const rows = claims
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.includes('| Shown by |'))
  .map((line) => ({ line, shown: [...line.matchAll(/`([^`]+\.ts)` "(.+?)"(?=<br>| \|)/g)] }))
const shown = new Map(
  rows.flatMap(({ shown }) => shown.map(([, path = '', name = '']) => [`${path} ${name}`, { path, name }])),
)

test('the document has rows to look at', () => {
  expect(rows.length).toBeGreaterThan(100)
  expect(shown.size).toBeGreaterThan(150)
})

test.each(rows)('$line names what shows it', (row) => {
  expect(row.shown.length).toBeGreaterThan(0)
})

test.each([...shown.values()])('$path has "$name"', ({ path, name }) => {
  expect(existsSync(new URL(path, ROOT)), path).toBe(true)
  const text = readFileSync(new URL(path, ROOT), 'utf8')
  const forms = ["'", '"', '`'].map((quote) => `${quote}${name}${quote}`)
  expect(forms.some((form) => text.includes(form))).toBe(true)
})

describe('every option and variable has its row', () => {
  test.each(Object.entries(PROXY_OPTIONS))('%s', (option, row) => {
    const line = rows.find((one) => one.line.startsWith(`| \`${option}\` |`))?.line ?? ''
    expect(line).not.toBe('')
    const variables: readonly string[] = 'env' in row ? row.env : []
    // the variables of the deprecated alias have a separate row
    const expected = variables.filter((name) => option !== 'clientKeys' || !name.endsWith('SECRETS'))
    for (const variable of expected) expect(line).toContain(`\`${variable}\``)
  })
})

test('every endpoint has its row', async () => {
  const upstream = await startUpstream()
  const proxy = await startProxy({ flagUrl: upstream.url, enableOAS: true })
  const response = await fetch(`${proxy.url}/docs/openapi.json`)
  await proxy.close()
  await upstream.close()
  const { paths } = (await response.json()) as { paths: Record<string, object> }
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(calls.length).toBeGreaterThan(8)
  expect(calls.filter((call) => !claims.includes(`\`${call}\``))).toEqual([])
})

test('the section on differences is the table that the comparison uses', () => {
  const intro = differences.slice(0, differences.indexOf('| Name') < 0 ? undefined : differences.indexOf('| Name'))
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, `${claims}${HEADING}${intro.trimEnd()}\n\n${table}`)
  else expect(differences.slice(intro.length)).toBe(table)
  expect(new Set(DIFFERENCES.map(({ id }) => id)).size).toBe(DIFFERENCES.length)
})
