import type {
  Comparison,
  PromotionPlan,
  PromotionRequest,
  PromotionResult,
  PromotionUndo,
  PromotionWish,
} from '@burgee/protocol/administration/promotion'
import type { ProjectPlace } from '../api/change-requests.ts'
import { call, callPatiently, path, queryOf } from '../api/http.ts'

/** Two compared environments of a project, for all its flags or the named ones. */
export interface Compared {
  readonly project: string
  readonly from: string
  readonly to: string
  readonly flags?: readonly string[] | undefined
}

const promotionsPath = ({ project, environment }: ProjectPlace) =>
  path('api', 'admin', 'projects', project, 'environments', environment, 'promotions')

/** Fetches the differences of flags between two environments. */
const comparison = async ({ project, from, to, flags }: Compared) =>
  (
    await call<Comparison>(
      'GET',
      `${path('api', 'admin', 'projects', project, 'environments', to, 'comparison', from)}${queryOf({ features: flags?.join(',') })}`,
    )
  ).features

/** Returns the query for the differences of flags between two environments. */
export const comparisonQuery = (compared: Compared) => ({
  queryKey: ['comparison', compared.project, compared.from, compared.to, compared.flags],
  queryFn: () => comparison(compared),
})

/** Returns the query for the plan of a promotion. It is never refetched in the background while the user reads it. */
export const planQuery = (place: ProjectPlace, wish: PromotionWish) => ({
  queryKey: ['promotion-plan', place, wish],
  queryFn: () => callPatiently<PromotionPlan>(`${promotionsPath(place)}/plan`, wish),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** Applies a plan, or adds its changes to the user's draft. */
export const promote = (place: ProjectPlace, body: PromotionRequest) =>
  callPatiently<PromotionResult>(promotionsPath(place), body)

/** Undoes a promotion of flags that have not changed since. */
export const undoPromotion = (place: ProjectPlace, body: PromotionUndo) =>
  callPatiently<void>(`${promotionsPath(place)}/undo`, body)
