import type { DecisionLog, FlagDecision } from '@burgee/kit/otel/decision-log'
import type { Context } from '@burgee/protocol/context'
import type { EvaluatedToggle, Toggles } from '@burgee/protocol/evaluation'
import type { FrontendScope } from '../sdk/frontends.ts'

/** Decision that was served, without the flags and the context with which it was made. */
export type ServedDecision = Omit<FlagDecision, 'set' | 'version' | 'contextId'>

/** Flags and context of a decision. */
export interface DecisionBasis {
  /** Returns the tag of the flags. */
  readonly version: (() => string) | undefined
  readonly context: Context
}

/** Listener called with each decision about a flag that a caller requested by name. Must never throw. */
export type DecisionListener = (decision: ServedDecision, basis: DecisionBasis) => void

/**
 * Creates a listener that adds the decisions of a scope to a log; undefined if there is no log. Decisions of an unknown
 * scope have no set of flags.
 */
export function createDecisionListener(
  log: DecisionLog | undefined,
  scope: FrontendScope | undefined,
): DecisionListener | undefined {
  if (log === undefined) return undefined
  const set = scope === undefined ? undefined : getFlagSetId(scope)
  return (decision, { version, context: { userId } }) =>
    log.record({ ...decision, set, version: version?.(), contextId: userId === undefined ? undefined : String(userId) })
}

function getFlagSetId({ environment, projects }: FrontendScope): string {
  const [project] = projects
  return projects.length === 1 && project !== '*' ? `${project}/${environment}` : environment
}

/** Target whose decisions are passed to a listener. */
export interface DecisionSource {
  readonly onDecision?: DecisionListener | undefined
  readonly version?: (() => string) | undefined
}

/** Passes the decision of a served toggle to the listener of its target. */
export function notifyOfToggle({ onDecision, version }: DecisionSource, json: string, context: Context): void {
  if (onDecision === undefined) return
  onDecision(toDecision(JSON.parse(json) as EvaluatedToggle), { version, context })
}

/** Passes the decisions of a served list to the listener of its target. */
export function notifyOfToggles({ onDecision, version }: DecisionSource, json: string, context: Context): void {
  if (onDecision === undefined) return
  for (const toggle of (JSON.parse(json) as Toggles).toggles) onDecision(toDecision(toggle), { version, context })
}

function toDecision({ name, enabled, variant }: EvaluatedToggle): ServedDecision {
  return { flag: name, value: enabled, variant: variant?.enabled === true ? variant.name : undefined }
}
