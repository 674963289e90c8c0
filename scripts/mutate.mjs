/**
 * Measures the strength of tests. Makes random small changes (mutants) of the sources of an area, one at a time, runs
 * the tests that execute the changed function, and prints the mutants that no test noticed. Does not change the sources
 * on disk.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { applyMutant, createRandom, drawSample, listMutants } from './mutants.mjs'
import { AREAS } from './mutation-areas.mjs'
import { findEquivalence } from './mutation-equivalents.mjs'
import { findFunction, selectTests } from './mutation-hits.mjs'
import { judge, recordHits, startRunner } from './mutation-runs.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const DEFAULT_COUNT = 20
/** Maximum total run time of the test files that run first, in milliseconds. */
const FIRST_MS = 8_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    file: { type: 'string' },
    line: { type: 'string' },
    tests: { type: 'string', multiple: true },
  },
})
process.exitCode = await main(positionals, values)

async function main([name = '', ...more], { seed: given, count, file = '', line, tests }) {
  const area = Object.hasOwn(AREAS, name) ? AREAS[name] : undefined
  if (area === undefined || more.length > 0 || ![given, count].every(isWhole) || !isRange(line)) {
    console.error(
      `npm run mutate -- ${Object.keys(AREAS).join('|')} [--seed N] [--count N] [--file PART] [--line N|N-M] [--tests PATH]`,
    )
    return 2
  }
  const seed = Number(given ?? Date.now() % 1_000_000)
  const [from, to = from] = line?.split('-').map(Number) ?? [0, Number.POSITIVE_INFINITY]
  const mutants = listAll(area, file).filter((mutant) => mutant.line >= from && mutant.line <= to)
  const sample = drawSample(mutants, Number(count ?? DEFAULT_COUNT), createRandom(seed))
  console.log(`${name}: ${sample.length} of ${mutants.length} mutants, seed ${seed}`)
  if (sample.length === 0) return 1
  const records = await recordHits(root, tests ?? area.tests)
  const runner = await startRunner(root)
  try {
    const sound = await leaveOutFailing(runner, records)
    if (sound.length === 0) return 1
    const outcomes = []
    for (const mutant of sample) outcomes.push(await decide(runner, sound, mutant))
    console.log(`${name}, seed ${seed}: ${summarize(outcomes)}`)
    return 0
  } finally {
    runner.stop()
  }
}

function isWhole(value) {
  return value === undefined || /^\d+$/.test(value)
}

function isRange(value) {
  return value === undefined || /^\d+(-\d+)?$/.test(value)
}

function listAll({ sources }, part) {
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()
  return files.filter((file) => !file.endsWith('.test.ts') && file.includes(part)).flatMap(listOfFile)
}

function listOfFile(file) {
  const text = readFileSync(join(root, file), 'utf8')
  return listMutants(text).map((mutant) => ({ file, text, ...mutant }))
}

/** Returns the records of test files that pass without a mutant, and prints the names of all other files. */
async function leaveOutFailing(runner, records) {
  const suspects = records.filter(({ failed }) => failed)
  const failing = new Set()
  for (const record of suspects) {
    if ((await judge(runner, [record])).outcome === 'survived') continue
    failing.add(record)
    console.log(`left out ${record.file}: fails without a mutant`)
  }
  return records.filter((record) => !failing.has(record))
}

async function decide(runner, records, mutant) {
  const { file, text, line, from, to } = mutant
  const equivalence = findEquivalence(mutant)
  const tests = selectTests(records, findFunction(text, file, mutant))
  const change = { file: join(root, file), code: applyMutant(text, mutant) }
  const { outcome, by } = equivalence === undefined ? await judgeInParts(runner, tests, change) : { outcome: 'same' }
  console.log(`${outcome.padEnd(8)} ${file}:${line}  ${shorten(from)}  →  ${shorten(to)}${by ? `  (${by})` : ''}`)
  return outcome
}

/**
 * Runs the quickest test files first, and the remaining files only if those pass. Runs the remaining files only if the
 * quickest pass.
 */
async function judgeInParts(runner, tests, change) {
  let sum = 0
  const first = tests.filter(({ ms }, index) => {
    sum += ms
    return index === 0 || sum <= FIRST_MS
  })
  if (tests.length === 0) return { outcome: 'survived', by: 'no test runs it' }
  const result = await judge(runner, first, change)
  if (result.outcome !== 'survived' || first.length === tests.length) return result
  return judge(runner, tests.slice(first.length), change)
}

function summarize(outcomes) {
  const count = (wanted) => outcomes.filter((outcome) => outcome === wanted).length
  const rest = outcomes.length - count('same')
  const share = Math.floor((count('killed') / rest) * 1000) / 10
  const counts = `${count('timeout')} timed out, ${count('survived')} survived, ${count('same')} equivalent`
  return `${count('killed')} of ${rest} mutants killed (${share} %), ${counts}`
}

function shorten(text) {
  const line = String(text).replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
