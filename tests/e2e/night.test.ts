import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** Log lines and metrics that the runbook names exist in the sources. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const sources = globSync('packages/{kit,storage,server,serving,proxy}/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')
const text = readFileSync(join(ROOT, 'docs', 'outages.md'), 'utf8')
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| State'))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner)

/** Returns the constant parts of a log line or value. */
const piecesOf = (line: string): string[] =>
  line
    .split('…')
    .map((piece) => piece.trim())
    .filter((piece) => /\w{3}/.test(piece))

describe.each(rows.map(([state = '', shows = '', works = '', todo = '']) => ({ state, shows, works, todo })))(
  '$state',
  ({ shows, works, todo }) => {
    test('says how it shows, what works and what to do', () => {
      expect([shows, works, todo].filter((cell) => cell.trim() === '')).toEqual([])
    })

    test('names series, lines and properties that there are', () => {
      const named = quoted(shows)
      const series = named.filter((one) => one.startsWith('burgee_'))
      // metrics shared by proxy and edge are composed with a prefix
      const shared = (one: string) => one.replace(/^burgee_(proxy|edge)_/, `\`\${seriesPrefix}_`)
      const isThere = (one: string) => sources.includes(`'${one}'`) || sources.includes(`${shared(one)}\``)
      expect(series.filter((one) => !isThere(one))).toEqual([])
      const lines = named.filter((one) => /^[A-Z][a-z]+ /.test(one))
      expect(lines.flatMap(piecesOf).filter((piece) => !sources.includes(piece))).toEqual([])
      const properties = named.flatMap((one) => /^"(\w+)"(?:: "?([^"]+)"?)?$/.exec(one)?.slice(1, 3) ?? [])
      const values = properties.flatMap((one) => (one === undefined ? [] : piecesOf(one)))
      expect(values.filter((one) => !/^true$/.test(one) && !sources.includes(one))).toEqual([])
    })
  },
)

test('there are states, and things to hold in them', () => {
  expect(rows.length).toBeGreaterThan(15)
  expect(
    rows.flatMap(([, shows = '']) => quoted(shows)).filter((one) => one.startsWith('burgee_')).length,
  ).toBeGreaterThan(10)
})
