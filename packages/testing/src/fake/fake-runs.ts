import { randomBytes } from 'node:crypto'
import type { EdgeToken } from '@burgee/edge/tokens/edge-token'
import { createEdgeToken, type TokenStore } from '@burgee/edge/tokens/token-store'
import { notFound } from '@burgee/kit/input/refusals'
import {
  type NewTestRun,
  TEST_RUN_LIMITS,
  type TestRunInput,
  type TestRunState,
  type TestRunUpdate,
} from '@burgee/protocol/administration/test-run'
import { Problem } from '@burgee/protocol/problem'
import { formatRunEnvironment } from '@burgee/serving/document/run-environment'
import { mergeOverrides } from '@burgee/serving/test-runs/merged-overrides'
import { requireOverridable } from '@burgee/serving/test-runs/overridable-flags'
import type { FakeEnvironments } from './fake-environments.ts'

/** Test run of the fake server. */
export interface FakeRun extends TestRunState {
  readonly project: string
}

interface RunEntry {
  run: FakeRun
  readonly tokens: readonly string[]
  readonly timer: NodeJS.Timeout
}

/** Parts of the fake server that its runs change. */
export interface FakeRunsDeps {
  readonly project: string
  readonly environment: string
  readonly environments: FakeEnvironments
  readonly tokens: TokenStore
  readonly clock: () => number
}

const ID_BYTES = 12
const SECRET_BYTES = 28
const MINUTE_MS = 60_000
const ENDED = 'There is no such test run, or it has ended.'
const CHANGED = 'The test run has another version: read it again, then make your change.'

/** Test runs of the fake server, with the rules of a real one. */
export class FakeRuns {
  readonly #deps: FakeRunsDeps
  readonly #entries = new Map<string, RunEntry>()

  constructor(deps: FakeRunsDeps) {
    this.#deps = deps
  }

  /** Starts a run. Throws ValidationError and NotFoundError, as a server does. */
  start(project: string, { environment, overrides, minutes, name }: TestRunInput): NewTestRun {
    this.#requireScope(project, environment)
    const { environments, tokens, clock } = this.#deps
    requireOverridable(environments.base, project, overrides)
    const id = randomBytes(ID_BYTES).toString('hex')
    const now = clock()
    const run: FakeRun = {
      id,
      name,
      environment,
      project,
      overrides: mergeOverrides({}, overrides).overrides,
      version: 1,
      createdBy: 'fake',
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + minutes * MINUTE_MS).toISOString(),
    }
    const scope = { environment: formatRunEnvironment(environment, id), projects: [project] }
    const add = (kind: EdgeToken['kind']): string => {
      const text = `${project}:${scope.environment}.${randomBytes(SECRET_BYTES).toString('hex')}`
      tokens.add(createEdgeToken({ text, kind, ...scope, origin: 'offline' }))
      return text
    }
    const timer = setTimeout(() => this.#remove(id), minutes * MINUTE_MS).unref()
    const clientToken = add('backend')
    const frontendToken = add('frontend')
    this.#entries.set(id, { run, tokens: [clientToken, frontendToken], timer })
    environments.setRun(run)
    return { ...toState(run), clientToken, frontendToken }
  }

  /** Lists the runs of a project, newest first. */
  list(project: string): TestRunState[] {
    const runs = [...this.#entries.values()].map(({ run }) => run).filter((run) => run.project === project)
    return runs.reverse().map(toState)
  }

  /** Changes overrides. Throws NotFoundError, ValidationError, and ConflictError if the version differs. */
  async change(project: string, id: string, { overrides: changes, version }: TestRunUpdate): Promise<TestRunState> {
    const entry = this.#require(project, id)
    const { environments } = this.#deps
    requireOverridable(environments.base, project, changes)
    if (version !== undefined && version !== entry.run.version) throw new Problem('ConflictError', CHANGED)
    const { overrides, after } = mergeOverrides(entry.run.overrides, changes)
    if (Object.keys(overrides).length > TEST_RUN_LIMITS.overrides) {
      throw new Problem('ValidationError', `A test run has at most ${TEST_RUN_LIMITS.overrides} overrides.`)
    }
    if (Object.keys(after).length > 0) {
      entry.run = { ...entry.run, overrides, version: entry.run.version + 1 }
      environments.setRun(entry.run)
      await environments.notifyRun(entry.run)
    }
    return toState(entry.run)
  }

  /** Ends a run. Throws NotFoundError. */
  end(project: string, id: string): void {
    this.#require(project, id)
    this.#remove(id)
  }

  close(): void {
    for (const { timer } of this.#entries.values()) clearTimeout(timer)
    this.#entries.clear()
  }

  #remove(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    clearTimeout(entry.timer)
    this.#entries.delete(id)
    for (const token of entry.tokens) this.#deps.tokens.remove(token, 'refused')
    this.#deps.environments.removeRun(entry.run)
  }

  #require(project: string, id: string): RunEntry {
    const entry = this.#entries.get(id)
    if (entry?.run.project !== project) throw notFound(ENDED)
    return entry
  }

  #requireScope(project: string, environment: string): void {
    const { environments } = this.#deps
    const isProject = project === this.#deps.project || environments.base.flags.some((flag) => flag.project === project)
    if (!isProject) throw notFound(`There is no project "${project}".`)
    if (environment === this.#deps.environment) return
    throw new Problem('ValidationError', `The project "${project}" has no environment "${environment}".`)
  }
}

function toState({ project: _, ...state }: FakeRun): TestRunState {
  return state
}
