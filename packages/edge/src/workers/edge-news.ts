import type { DocumentState } from '@burgee/serving/document/environment-document'
import type { ProfileInUse } from '@burgee/serving/upstream/announced-profile'
import type { Environments } from '../environments/environments.ts'
import type { FetchingTokens } from '../environments/fetching-tokens.ts'
import type { EdgeTokens } from '../tokens/edge-token.ts'
import type { EdgeUsage, SharedUsage } from '../usage/edge-usage.ts'
import type { EdgeNews, EdgeQuestion, EdgeReport, SentEnvironment } from './messages.ts'

/** State of the primary process of an edge. */
export interface EdgeKnowledge {
  readonly tokens: EdgeTokens
  readonly environments: Environments
  readonly profile: ProfileInUse
  readonly fetching: FetchingTokens
  readonly usage: SharedUsage
  /** Returns true once there are enough flags to answer from. */
  readonly isReady: () => boolean
}

/** Publishes the state of the primary process to workers, and answers their requests. */
export interface NewsDesk {
  /** Returns the messages that a new worker needs, in order. */
  readonly news: () => readonly EdgeNews[]
  readonly answer: (question: EdgeQuestion) => unknown
  close(): void
}

/** Interval of status messages. */
const STANDINGS_MS = 1000

/** Starts publishing; `tell` sends to all current workers. */
export function openNewsDesk(knowledge: EdgeKnowledge, tell: (news: EdgeNews) => void): NewsDesk {
  const { tokens, environments, profile, fetching, usage, isReady } = knowledge
  const decided = (): EdgeNews => ({ kind: 'profile', profile: profile.current })
  const standings = (): EdgeNews => ({
    kind: 'standings',
    standings: { isReady: isReady(), environments: environments.standings(), usage: usage.standing() },
  })
  const fetched = (): EdgeNews => ({
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
    profile.follow(() => tell(decided())),
    environments.subscribe((environment, state) => tell({ kind: 'flags', ...sentOf(environment, state) })),
  ]
  const timer = setInterval(() => tell(standings()), STANDINGS_MS).unref()
  return {
    news: () => [
      { kind: 'tokens', tokens: tokens.all() },
      decided(),
      fetched(),
      ...flagsOf(environments).map((sent): EdgeNews => ({ kind: 'flags', ...sent })),
      standings(),
    ],
    answer(question) {
      if (question.kind === 'admit') return tokens.admit(question.text, question.asker)
      usage.recall(question.owners)
      for (const report of question.reports) takeReport(usage, report)
      return undefined
    },
    close() {
      clearInterval(timer)
      for (const end of ends) end()
    },
  }
}

function takeReport(usage: EdgeUsage, report: EdgeReport): void {
  const of = { lane: report.lane, owner: undefined }
  if (report.kind === 'application') usage.register(of, report.application)
  else usage.count(of, report.appName, report.counts)
}

function flagsOf(environments: Environments): SentEnvironment[] {
  return environments.standings().flatMap(({ environment }) => {
    const state = environments.known(environment)
    return state === undefined ? [] : [sentOf(environment, state)]
  })
}

/** Joins prepared JSON; nothing is serialised again. */
function sentOf(environment: string, { revision, flags, segments }: DocumentState): SentEnvironment {
  const features = flags.map(({ json }) => json).join(',')
  const used = [...segments.values()].map(({ json }) => json).join(',')
  return { environment, revision, text: `{"version":2,"features":[${features}],"segments":[${used}]}` }
}
