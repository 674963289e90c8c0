import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import type { Safeguard, SafeguardInput } from '@burgee/protocol/administration/safeguard'
import { type FlagEnvironment, getFlagEnvironmentPath } from './flags.ts'
import { buildPath, call } from './http.ts'

/** Release plan of a flag in an environment. */
export interface PlanRef extends FlagEnvironment {
  readonly planId: string
}

const getPlansPath = (place: FlagEnvironment) => `${getFlagEnvironmentPath(place)}/release-plans`
const getPlanPath = (ref: PlanRef) => `${getPlansPath(ref)}${buildPath(ref.planId)}`
const getProgressionsPath = (place: FlagEnvironment) => `${getFlagEnvironmentPath(place)}/progressions`

/** Returns the query for the release plan of a flag in an environment; null if there is none. */
export const getReleasePlanQuery = (place: FlagEnvironment) => ({
  queryKey: ['release-plan', place.project, place.feature, place.environment],
  queryFn: async () => (await call<ReleasePlan[]>('GET', getPlansPath(place)))[0] ?? null,
})

/** Adds a release plan with the milestones of a template. */
export const addReleasePlan = (place: FlagEnvironment, templateId: string) =>
  call<ReleasePlan>('POST', getPlansPath(place), { templateId })

/** Removes a release plan and the strategies of its active milestone. */
export const removeReleasePlan = (ref: PlanRef) => call<void>('DELETE', getPlanPath(ref))

/** Starts a milestone, which can also be an earlier one. */
export const startMilestone = (ref: PlanRef, milestoneId: string) =>
  call<void>('POST', `${getPlanPath(ref)}${buildPath('milestones', milestoneId, 'start')}`)

/** Pauses the automatic start of milestones. */
export const pausePlan = (ref: PlanRef) =>
  call<ReleasePlan>('POST', `${getProgressionsPath(ref)}${buildPath(ref.planId, 'pause')}`)

/** Resumes the automatic start of milestones and arms the safeguards again. */
export const resumePlan = (ref: PlanRef) =>
  call<ReleasePlan>('POST', `${getProgressionsPath(ref)}${buildPath(ref.planId, 'resume')}`)

/** Sets the time after which the milestone following `source` starts; null if it must be started by hand. */
export function setProgression(
  place: FlagEnvironment,
  { source, target, intervalMinutes }: { source: string; target: string; intervalMinutes: number | null },
): Promise<unknown> {
  const path = `${getProgressionsPath(place)}${buildPath(source)}`
  if (intervalMinutes === null) return call('DELETE', path)
  return call('PUT', path, { targetMilestone: target, transitionCondition: { intervalMinutes } })
}

/** Flag in an environment, and its release plan; null for safeguards that do not belong to a plan. */
export interface SafeguardOwner extends FlagEnvironment {
  readonly planId: string | null
}

const getSafeguardsPath = ({ planId, ...place }: SafeguardOwner) =>
  `${planId === null ? getFlagEnvironmentPath(place) : getPlanPath({ ...place, planId })}/safeguards`

/** Creates a safeguard, or replaces the one whose id the body contains. */
export const setSafeguard = (owner: SafeguardOwner, body: SafeguardInput) =>
  call<Safeguard>('PUT', getSafeguardsPath(owner), body)

/** Deletes a safeguard. */
export const removeSafeguard = (owner: SafeguardOwner, id: string) =>
  call<void>('DELETE', `${getSafeguardsPath(owner)}${buildPath(id)}`)

/** Returns the request body for a stored safeguard, without its id. */
export function toSafeguardInput(safeguard: Safeguard): SafeguardInput {
  const { impactMetric, triggerCondition, action, onNoData } = safeguard
  return {
    impactMetric,
    ...(triggerCondition === null ? {} : { triggerCondition }),
    action: { type: action.type },
    onNoData,
  }
}
