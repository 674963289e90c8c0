import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Number of runs in the ledger, including the current one. */
const MAX_RUNS = 10
/**
 * Maximum number of runs in the ledger in which the same test may need a second try. The check fails if a test exceeds
 * this number.
 */
const MAX_SECOND_TRIES = 2

/**
 * Adds a run to the ledger. The ledger is a JSON file that lists, for each run, the names of tests that needed a second
 * try. The newest run is last. A malformed ledger is replaced. Returns the lines to print. `isTooMany` is true if a
 * test of this run exceeds `MAX_SECOND_TRIES`.
 */
export function noteSecondTries(path, names) {
  const current = [...new Set(names)].sort()
  const runs = [...readRuns(path), current].slice(-MAX_RUNS)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(runs, null, 2)}\n`)
  const counts = [...new Set(runs.flat())].sort().map((name) => ({ name, count: countRuns(runs, name) }))
  const flaky = counts.filter(({ name, count }) => current.includes(name) && count > MAX_SECOND_TRIES)
  const lines = counts.map(({ name, count }) => `  ${count} × ${name}${current.includes(name) ? ' (now)' : ''}`)
  if (lines.length > 0) lines.unshift(`Second tries in the last ${runs.length} runs (${path}):`)
  for (const { name, count } of flaky) lines.push(`Failed: ${count} second tries in ${runs.length} runs: ${name}`)
  return { lines, isTooMany: flaky.length > 0 }
}

function countRuns(runs, name) {
  return runs.filter((names) => names.includes(name)).length
}

function readRuns(path) {
  try {
    const runs = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
    return Array.isArray(runs) ? runs.filter(Array.isArray) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
