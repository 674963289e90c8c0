/** Runs test files in a separate process (`mutation-runner.mjs`). The process is replaced if a mutant makes it hang. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Fixed part of the time limit of a run in milliseconds. The rest is a multiple of the time that its files took without
 * a mutant.
 */
const LIMIT_MS = 60_000
const LIMIT_FACTOR = 8
/** Time limit for a run without a mutant, in milliseconds. */
const RECORD_LIMIT_MS = 1_800_000
const TIMED_OUT = /timed out in \d+ ?ms/

/** Runs the test files once and returns their records (`mutation-hits.mjs`), each with `failed`. */
export async function recordHits(root, tests) {
  const folder = join(root, '.cache', 'mutants')
  const path = join(folder, `hits-${process.pid}.jsonl`)
  mkdirSync(folder, { recursive: true })
  rmSync(path, { force: true })
  const runner = await startRunner(root, { BURGEE_MUTANT_HITS: path })
  try {
    const reply = await runner.run({ tests }, RECORD_LIMIT_MS)
    if (reply === undefined) throw new Error('The tests do not end without a mutant')
    const { failures, durations } = reply
    const failing = new Set(failures.map(({ file }) => file))
    const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
    return lines.map((line) => {
      const { file, hits, loaded } = JSON.parse(line)
      const name = relative(root, file)
      const failed = failing.has(name)
      return { file: name, ms: durations[name] ?? 0, hits: new Set(hits), loaded: new Set(loaded), failed }
    })
  } finally {
    runner.stop()
    rmSync(path, { force: true })
  }
}

/**
 * Returns the verdict on a mutant, from the records of the tests that can detect it. If a test only exceeds a time
 * limit, it is repeated without the mutant and then with it. The mutant counts as detected if the test passes without
 * it and exceeds the time limit again with it.
 */
export async function judge(runner, records, mutant) {
  const first = await runOnce(runner, records, mutant)
  if (first.outcome !== 'timeout') return first
  if ((await runOnce(runner, records)).outcome !== 'survived') return first
  const second = await runOnce(runner, records, mutant)
  return second.outcome === 'timeout' ? { outcome: 'killed', by: `${second.by}, twice` } : second
}

/** Returns the outcome of one run with a mutant, or with the unchanged sources. */
async function runOnce(runner, records, mutant) {
  const limit = LIMIT_MS + LIMIT_FACTOR * records.reduce((sum, { ms }) => sum + ms, 0)
  const reply = await runner.run({ tests: records.map(({ file }) => file), mutant }, limit)
  if (reply === undefined) return { outcome: 'timeout', by: `no result after ${Math.round(limit / 1000)} s` }
  if (reply.failures.length === 0) return { outcome: 'survived' }
  const decisive = reply.failures.find(({ message }) => !TIMED_OUT.test(message))
  const { file, title } = decisive ?? reply.failures[0]
  return { outcome: decisive === undefined ? 'timeout' : 'killed', by: `${file} ${title}`.trim() }
}

/** Starts the process. `run` returns undefined if it reaches the time limit, and later runs use a new process. */
export async function startRunner(root, variables = {}) {
  let child = await start(root, variables)
  return {
    async run(message, limit) {
      const stop = new AbortController()
      const timer = setTimeout(() => stop.abort(), limit)
      try {
        child.send(message)
        return await receive(child, stop.signal)
      } catch {
        kill(child)
        child = await start(root, variables)
        return undefined
      } finally {
        clearTimeout(timer)
      }
    },
    stop: () => kill(child),
  }
}

async function start(root, variables) {
  const child = spawn(process.execPath, [join(root, 'scripts', 'mutation-runner.mjs')], {
    cwd: root,
    env: { ...process.env, BURGEE_MUTANTS: '1', ...variables },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  })
  await receive(child)
  return child
}

/** Returns the next message from the process. Throws if the process ends before it sends one. */
async function receive(child, signal) {
  const stop = new AbortController()
  const signals = signal === undefined ? [stop.signal] : [stop.signal, signal]
  const options = { signal: AbortSignal.any(signals) }
  const ended = once(child, 'exit', options).then(() => Promise.reject(new Error('The test runner ended')))
  try {
    return (await Promise.race([once(child, 'message', options), ended]))[0]
  } finally {
    stop.abort()
  }
}

/** Ends the process and the test processes that it started. */
function kill(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {}
}
