import type { DecisionLog, FlagDecision } from '@burgee/kit/otel/decision-log'
import type { EvaluatedToggle, Toggles } from '@burgee/protocol/evaluation'
import type { FrontendScope } from '../sdk/frontends.ts'

/** Decision that was served, without the set of flags that it belongs to. */
export type ServedDecision = Omit<FlagDecision, 'set'>

/** Listener called with each decision about a flag that a caller requested by name. Must never throw. */
export type DecisionListener = (decision: ServedDecision) => void

/** Creates a listener that adds the decisions of a scope to a log; undefined if there is no log. */
export function createDecisionListener(
  log: DecisionLog | undefined,
  { environment, projects }: FrontendScope,
): DecisionListener | undefined {
  if (log === undefined) return undefined
  const [project] = projects
  const isOne = projects.length === 1 && project !== '*'
  const set = isOne ? `${project}/${environment}` : environment
  return (decision) => log.record({ ...decision, set })
}

/** Passes the decision of a served toggle to a listener. */
export function notifyOfToggle(listener: DecisionListener | undefined, json: string): void {
  if (listener !== undefined) listener(toDecision(JSON.parse(json) as EvaluatedToggle))
}

/** Passes the decisions of a served list to a listener. */
export function notifyOfToggles(listener: DecisionListener | undefined, json: string): void {
  if (listener === undefined) return
  for (const toggle of (JSON.parse(json) as Toggles).toggles) listener(toDecision(toggle))
}

function toDecision({ name, enabled, variant }: EvaluatedToggle): ServedDecision {
  return { flag: name, value: enabled, variant: variant?.enabled === true ? variant.name : undefined }
}
