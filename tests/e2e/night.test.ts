import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** The sources contain the log lines and metrics that the runbook and the failure modes mention. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const sources = globSync('packages/{kit,storage,server,serving,proxy}/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')

/** Returns the cells of those tables on a page whose first column has this title. */
function tableRows(page: string, title: string): string[][] {
  const blocks = readFileSync(join(ROOT, 'docs', page), 'utf8').split(/\n{2,}/)
  return blocks
    .filter((block) => block.startsWith(`| ${title} |`))
    .flatMap((block) => block.trim().split('\n').slice(2))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
}
const rows = tableRows('outages.md', 'State')
const symptoms = tableRows('runbook.md', 'Symptom')
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, inner = '']) => inner)

/** Returns the constant parts of a log line or value. */
const piecesOf = (line: string): string[] =>
  line
    .split('…')
    .map((piece) => piece.trim())
    .filter((piece) => /\w{3}/.test(piece))

/** Returns the metrics, log lines and properties of a cell that the sources do not contain. */
function missingNames(cell: string): string[] {
  const named = quoted(cell)
  const series = named.filter((one) => one.startsWith('burgee_')).map((one) => one.replace(/\{.*\}$/, ''))
  // metrics that proxy and edge share have names composed with a prefix
  const shared = (one: string) => one.replace(/^burgee_(proxy|edge)_/, `\`\${seriesPrefix}_`)
  const isThere = (one: string) => sources.includes(`'${one}'`) || sources.includes(`${shared(one)}\``)
  const lines = named.filter((one) => /^[A-Z][a-z]+ /.test(one))
  const properties = named.flatMap((one) => /^"(\w+)"(?:: "?([^"]+)"?)?$/.exec(one)?.slice(1, 3) ?? [])
  const values = properties.flatMap((one) => (one === undefined ? [] : piecesOf(one)))
  return [
    ...series.filter((one) => !isThere(one)),
    ...lines.flatMap(piecesOf).filter((piece) => !sources.includes(piece)),
    ...values.filter((one) => one !== 'true' && !sources.includes(one)),
  ]
}

describe.each(rows.map(([state = '', shows = '', works = '', todo = '']) => ({ state, shows, works, todo })))(
  '$state',
  ({ shows, works, todo }) => {
    test('says how to recognize it, what works and what to do', () => {
      expect([shows, works, todo].filter((cell) => cell.trim() === '')).toEqual([])
    })

    test('names series, lines and properties that exist', () => {
      expect(missingNames(shows)).toEqual([])
    })
  },
)

test.each(symptoms.map(([symptom = '', look = '', todo = '']) => ({ symptom, look, todo })))(
  '$symptom: names series, lines and properties that exist',
  ({ look, todo }) => {
    expect([look, todo].filter((cell) => cell.trim() === '')).toEqual([])
    expect(missingNames(look)).toEqual([])
  },
)

test('there are states and symptoms, which name series', () => {
  expect(rows.length).toBeGreaterThan(15)
  expect(symptoms.length).toBeGreaterThan(10)
  expect(
    rows.flatMap(([, shows = '']) => quoted(shows)).filter((one) => one.startsWith('burgee_')).length,
  ).toBeGreaterThan(10)
})
