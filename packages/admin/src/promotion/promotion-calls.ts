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

/** Two environments of a project that are compared; all its flags, or those that are named. */
export interface Compared {
  readonly project: string
  readonly from: string
  readonly to: string
  readonly flags?: readonly string[] | undefined
}

const promotionsPath = ({ project, environment }: ProjectPlace) =>
  path('api', 'admin', 'projects', project, 'environments', environment, 'promotions')

/** How flags differ between two environments. */
const comparison = async ({ project, from, to, flags }: Compared) =>
  (
    await call<Comparison>(
      'GET',
      `${path('api', 'admin', 'projects', project, 'environments', to, 'comparison', from)}${queryOf({ features: flags?.join(',') })}`,
    )
  ).features

/** The same as a query. */
export const comparisonQuery = (compared: Compared) => ({
  queryKey: ['comparison', compared.project, compared.from, compared.to, compared.flags],
  queryFn: () => comparison(compared),
})

/** What a promotion would do; asked at a moment, and not again while somebody reads it. */
export const planQuery = (place: ProjectPlace, wish: PromotionWish) => ({
  queryKey: ['promotion-plan', place, wish],
  queryFn: () => callPatiently<PromotionPlan>(`${promotionsPath(place)}/plan`, wish),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

/** Does what a plan has shown, or puts it into the person's draft. */
export const promote = (place: ProjectPlace, body: PromotionRequest) =>
  callPatiently<PromotionResult>(promotionsPath(place), body)

/** Takes it back, where nobody has changed it since. */
export const undoPromotion = (place: ProjectPlace, body: PromotionUndo) =>
  callPatiently<void>(`${promotionsPath(place)}/undo`, body)
