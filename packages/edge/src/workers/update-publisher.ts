import type { DocumentState } from '@burgee/serving/document/environment-document'
import type { ProfileInUse } from '@burgee/serving/upstream/announced-profile'
import type { Environments } from '../environments/environments.ts'
import type { FetchingTokens } from '../environments/fetching-tokens.ts'
import type { EdgeTokens } from '../tokens/edge-token.ts'
import type { HoldingsReporter } from '../usage/holdings-reporter.ts'
import type { SharedUsage } from '../usage/usage-interface.ts'
import type { EdgeReport, SentEnvironment, WorkerRequest, WorkerUpdate } from './edge-messages.ts'

/** State of the primary process of an edge. */
export interface PrimaryState {
  readonly tokens: EdgeTokens
  readonly environments: Environments
  readonly profile: ProfileInUse
  readonly fetching: FetchingTokens
  readonly usage: SharedUsage
  readonly holdings: Pick<HoldingsReporter, 'acceptWorkerRows' | 'downstream'>
  /** Returns true once there are enough flags to answer requests. */
  readonly isReady: () => boolean
}

/** Publishes the state of the primary process to workers, and answers their requests. */
export interface UpdatePublisher {
  /** Returns the messages that a new worker must receive first, in order. */
  readonly listInitialUpdates: () => readonly WorkerUpdate[]
  readonly handleRequest: (question: WorkerRequest) => unknown
  close(): void
}

/** Interval at which status messages are sent. */
const STATUS_INTERVAL_MS = 1000

/** Starts publishing. `tell` sends a message to all current workers. */
export function startUpdatePublisher(knowledge: PrimaryState, tell: (news: WorkerUpdate) => void): UpdatePublisher {
  const { tokens, environments, profile, fetching, usage, holdings, isReady } = knowledge
  const decided = (): WorkerUpdate => ({ kind: 'profile', profile: profile.current })
  const standings = (): WorkerUpdate => ({
    kind: 'standings',
    status: { isReady: isReady(), environments: environments.listStatuses(), usage: usage.getStatus() },
  })
  const fetched = (): WorkerUpdate => ({
    kind: 'environments',
    names: [...new Set(fetching.current().map(({ environment }) => environment))],
    isSettled: fetching.isSettled,
  })
  const ends = [
    tokens.subscribe({
      added: (token) => tell({ kind: 'tokens', tokens: [token] }),
      removed: ({ text }, reason) => tell({ kind: 'token-removed', text, reason }),
    }),
    fetching.subscribe(() => tell(fetched())),
    profile.subscribe(() => tell(decided())),
    environments.subscribe((environment, state) => tell({ kind: 'flags', ...toSentEnvironment(environment, state) })),
  ]
  const timer = setInterval(() => tell(standings()), STATUS_INTERVAL_MS).unref()
  return {
    listInitialUpdates: () => [
      { kind: 'tokens', tokens: tokens.all() },
      decided(),
      fetched(),
      ...listEnvironmentFlags(environments).map((sent): WorkerUpdate => ({ kind: 'flags', ...sent })),
      standings(),
    ],
    handleRequest(question) {
      if (question.kind === 'admit') return tokens.admit(question.text, question.asker)
      if (question.kind === 'holdings') {
        holdings.acceptWorkerRows(question.worker, question.rows)
        return undefined
      }
      if (question.kind === 'downstream') {
        holdings.downstream.accept(question.report)
        return undefined
      }
      usage.recordOwners(question.owners)
      for (const report of question.reports) recordReport(usage, report)
      return undefined
    },
    close() {
      clearInterval(timer)
      for (const end of ends) end()
    },
  }
}

function recordReport(usage: SharedUsage, report: EdgeReport): void {
  const of = { lane: report.lane, owner: undefined }
  if (report.kind === 'application') usage.register(of, report.application)
  else if (report.kind === 'impact') usage.addImpactRows(of, report.rows)
  else usage.count(of, report.appName, report.counts)
}

function listEnvironmentFlags(environments: Environments): SentEnvironment[] {
  return environments.listStatuses().flatMap(({ environment }) => {
    const state = environments.peek(environment)
    return state === undefined ? [] : [toSentEnvironment(environment, state)]
  })
}

/** Concatenates JSON that is already serialized, so that nothing is serialized twice. */
function toSentEnvironment(environment: string, { revision, flags, segments }: DocumentState): SentEnvironment {
  const features = flags.map(({ json }) => json).join(',')
  const used = [...segments.values()].map(({ json }) => json).join(',')
  return { environment, revision, text: `{"version":2,"features":[${features}],"segments":[${used}]}` }
}
