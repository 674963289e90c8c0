/**
 * Measures the strength of tests. Makes random small changes (mutants) of the sources of an area, one at a time, runs
 * the area's tests on each mutant, and prints the mutants that no test noticed. Does not change the sources on disk.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRandom, drawSample, listMutants } from './mutants.mjs'
import { AREAS } from './mutation-areas.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const report = join(root, '.cache', 'mutants', `report-${process.pid}.json`)
/** Timeout of a mutant in milliseconds. A mutant that exceeds it waits or loops, and counts as noticed. */
const LIMIT_MS = 180_000
const DEFAULT_COUNT = 20

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
process.exitCode = main(positionals, values)

function main([name = '', ...more], { seed: given, count, file = '', line, tests }) {
  const area = Object.hasOwn(AREAS, name) ? AREAS[name] : undefined
  if (area === undefined || more.length > 0 || ![given, count, line].every(isWhole)) {
    console.error(
      `npm run mutate -- ${Object.keys(AREAS).join('|')} [--seed N] [--count N] [--file PART] [--line N] [--tests PATH]`,
    )
    return 2
  }
  const stages = tests === undefined ? area.tests : [tests]
  const seed = Number(given ?? Date.now() % 1_000_000)
  const mutants = listAll(area, file).filter((mutant) => line === undefined || mutant.line === Number(line))
  const sample = drawSample(mutants, Number(count ?? DEFAULT_COUNT), createRandom(seed))
  console.log(`${name}: ${sample.length} of ${mutants.length} mutants, seed ${seed}`)
  if (sample.length === 0) return 1
  for (const stage of stages) {
    if (run(stage, {}) === 'survived') continue
    console.error(`The tests fail or find nothing without a mutant: ${stage.join(' ')}`)
    return 1
  }
  const survivors = sample.filter((mutant) => !isNoticed(stages, mutant))
  const share = Math.round((1 - survivors.length / sample.length) * 1000) / 10
  console.log(`${sample.length - survivors.length} of ${sample.length} mutants were killed (${share} %), seed ${seed}`)
  rmSync(report, { force: true })
  return 0
}

function isWhole(value) {
  return value === undefined || /^\d+$/.test(value)
}

function listAll({ sources }, part) {
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root })).sort()
  return files
    .filter((file) => !file.endsWith('.test.ts') && file.includes(part))
    .flatMap((file) => listMutants(readFileSync(join(root, file), 'utf8')).map((mutant) => ({ file, ...mutant })))
}

function isNoticed(stages, mutant) {
  const { file, line, start, end, from, to } = mutant
  const env = { BURGEE_MUTANT: JSON.stringify({ file: join(root, file), start, end, to }) }
  let outcome = 'survived'
  for (const stage of stages) {
    outcome = run(stage, env)
    if (outcome !== 'survived') break
  }
  console.log(`${outcome.padEnd(8)} ${file}:${line}  ${shorten(from)}  →  ${shorten(to)}`)
  return outcome !== 'survived'
}

function shorten(text) {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** Runs tests until the first one fails. A run without a passed test counts as killed: the module did not load. */
function run(tests, env) {
  mkdirSync(dirname(report), { recursive: true })
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const projects = ['--project', 'sqlite', '--project', 'processes']
  const reporting = ['--reporter=json', `--outputFile=${report}`]
  const args = [vitest, 'run', ...tests, ...projects, ...reporting, '--retry=0', '--bail=1', '--passWithNoTests=false']
  const { status, signal } = spawnSync(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'ignore',
    timeout: LIMIT_MS,
  })
  if (signal !== null) return 'timeout'
  return status === 0 ? 'survived' : 'killed'
}
