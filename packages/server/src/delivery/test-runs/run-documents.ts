import { notFound } from '@burgee/kit/input/refusals'
import type { Logger } from '@burgee/kit/log/logger'
import { DocumentListeners } from '@burgee/serving/document/document-listeners'
import type { DocumentRevision, DocumentState } from '@burgee/serving/document/environment-document'
import { getBaseEnvironment, getRunIdOfEnvironment, isRunEnvironment } from '@burgee/serving/document/run-environment'
import { RunStates } from '@burgee/serving/test-runs/run-states'
import type { TestRunRow } from '@burgee/storage/queries/test-runs/test-runs'
import type { Documents } from '../documents/documents.ts'
import type { TestRuns } from './test-runs.ts'

/**
 * Adds the documents of test runs to the documents of environments. Each run has an environment of its own, so
 * downloads, deltas, streams and evaluations of its tokens need no special cases. A change of an environment notifies
 * only about the environment itself: `isAffectedBy` returns true for its runs.
 */
export function withRunDocuments(documents: Documents, runs: TestRuns, logger: Logger): Documents {
  const listeners = new DocumentListeners<[]>(logger)
  const states = new RunStates()
  const peek = (environment: string): DocumentState | undefined => {
    const run = runs.peekLast(getRunIdOfEnvironment(environment))
    const base = run && documents.peek(run.environment)
    return run === undefined || base === undefined ? undefined : states.get(run, base)
  }
  const get = async (environment: string): Promise<DocumentState> => {
    const id = getRunIdOfEnvironment(environment)
    const run = await runs.find(id)
    if (run === undefined) throw notFound('The test run has ended.')
    const base = await documents.get(run.environment)
    return states.get(runs.peek(id) ?? run, base)
  }
  runs.subscribe((environment) => listeners.notify(environment))
  return {
    readInUse: () => documents.readInUse(),
    statuses: () => documents.statuses(),
    states: () => documents.states(),
    close: () => documents.close(),
    get(environment) {
      if (!isRunEnvironment(environment)) return documents.get(environment)
      const run = runs.peek(getRunIdOfEnvironment(environment))
      const base = run && documents.peek(run.environment)
      return run === undefined || base === undefined ? get(environment) : states.get(run, base)
    },
    peek: (environment) => (isRunEnvironment(environment) ? peek(environment) : documents.peek(environment)),
    completeUpTo(environment) {
      if (!isRunEnvironment(environment)) return documents.completeUpTo(environment)
      const run = runs.peekLast(getRunIdOfEnvironment(environment))
      const base = run && documents.completeUpTo(run.environment)
      return run === undefined || base === undefined ? undefined : toRunRevision(run, base)
    },
    settled: (environment) => documents.settled(getBaseEnvironment(environment)),
    findTouchedSince(environment, revision) {
      if (!isRunEnvironment(environment)) return documents.findTouchedSince(environment, revision)
      const run = runs.peekLast(getRunIdOfEnvironment(environment))
      const base = run && documents.completeUpTo(run.environment)
      if (run === undefined || base === undefined) return undefined
      const isSameVersion = toRunRevision(run, base).epoch === revision.epoch
      if (!isSameVersion) return undefined
      return documents.findTouchedSince(run.environment, { ...revision, epoch: base.epoch })
    },
    subscribe(listener) {
      const ends = [documents.subscribe(listener), listeners.subscribe(listener)]
      return () => {
        for (const end of ends) end()
      }
    },
  }
}

/**
 * Returns a revision in an epoch of the run's version. A client that has another version of the run gets the full
 * state, because nodes do not know the overrides of earlier versions.
 */
function toRunRevision({ version }: TestRunRow, { epoch, id }: DocumentRevision): DocumentRevision {
  return { epoch: `${epoch}-${version}`, id }
}
