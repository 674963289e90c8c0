import type {
  Comparison,
  PromotionPlan,
  PromotionPlanRequest,
  PromotionRequest,
  PromotionResult,
  PromotionUndo,
} from '@burgee/protocol/administration/promotion'
import type { EnvironmentRef } from '../api/change-requests.ts'
import { buildPath, buildQueryString, call, callWithLongTimeout } from '../api/http.ts'

/** Two environments of a project to compare, for all of its flags or only for the named ones. */
export interface ComparedEnvironments {
  readonly project: string
  readonly from: string
  readonly to: string
  readonly flags?: readonly string[] | undefined
}

const getPromotionsPath = ({ project, environment }: EnvironmentRef) =>
  buildPath('api', 'admin', 'projects', project, 'environments', environment, 'promotions')

/** Fetches the differences of flags between two environments. */
const fetchComparison = async ({ project, from, to, flags }: ComparedEnvironments) =>
  (
    await call<Comparison>(
      'GET',
      `${buildPath('api', 'admin', 'projects', project, 'environments', to, 'comparison', from)}${buildQueryString({ features: flags?.join(',') })}`,
    )
  ).features

/** Returns the query for the differences of flags between two environments. */
export const getComparisonQuery = (compared: ComparedEnvironments) => ({
  queryKey: ['comparison', compared.project, compared.from, compared.to, compared.flags],
  queryFn: () => fetchComparison(compared),
})

/**
 * Returns the query for the plan of a promotion. The plan is never refetched in the background, so that it does not
 * change while the user reads it.
 */
export const getPlanQuery = (place: EnvironmentRef, wish: PromotionPlanRequest) => ({
  queryKey: ['promotion-plan', place, wish],
  queryFn: () => callWithLongTimeout<PromotionPlan>(`${getPromotionsPath(place)}/plan`, wish),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** Applies a plan, or adds its changes to the user's draft. */
export const promote = (place: EnvironmentRef, body: PromotionRequest) =>
  callWithLongTimeout<PromotionResult>(getPromotionsPath(place), body)

/** Undoes a promotion for all flags that have not changed since. */
export const undoPromotion = (place: EnvironmentRef, body: PromotionUndo) =>
  callWithLongTimeout<void>(`${getPromotionsPath(place)}/undo`, body)
