import type { ConfigObstacle } from '@burgee/protocol/administration/config-plan'
import type { Reader } from '@burgee/storage/database'
import { listGuardedEnvironments } from '@burgee/storage/queries/change-requests/change-request-settings'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { listEnvironmentsUsingSegment } from '@burgee/storage/queries/targeting/segments'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'
import { MAX_CHANGES, MAX_CHARACTERS } from '../change-requests/request-limits.ts'
import type { ConfigStep } from './config-steps.ts'

/** Step, and the review that it needs. */
export interface StepReview {
  readonly step: ConfigStep
  /** Protected environment whose change request contains the step; undefined if the step needs no change request. */
  readonly environment: string | undefined
  /**
   * Protected environments of other projects, in which this plan cannot propose the step. Includes the protected
   * environments of hidden projects only if the actor may make the change.
   */
  readonly elsewhere: readonly ProjectEnvironmentKey[]
}

/** Returns the protected environments of a project in which the actor needs a change request. */
export async function listGuards(reader: Reader, actor: Actor, project: string): Promise<readonly string[]> {
  const guarded = await listGuardedEnvironments(reader, [project])
  return guarded
    .filter((place) => place.isUsed && !hasPermission(actor, 'SKIP_CHANGE_REQUEST', place))
    .map(({ environment }) => environment)
}

/** Steps of a plan for a project, and the protected environments in which the actor needs a change request. */
export interface UnreviewedSteps {
  readonly actor: Actor
  readonly project: string
  readonly guarded: readonly string[]
  readonly steps: readonly ConfigStep[]
}

/** Determines the protected environment in which each step must be reviewed. */
export async function reviewSteps(reader: Reader, { steps, ...order }: UnreviewedSteps): Promise<StepReview[]> {
  const reviews: StepReview[] = []
  for (const step of steps) reviews.push(await reviewStep(reader, step, order))
  return reviews
}

async function reviewStep(
  reader: Reader,
  step: ConfigStep,
  { actor, project, guarded }: Omit<UnreviewedSteps, 'steps'>,
): Promise<StepReview> {
  const { affects, environment, changes } = step
  const review = (found: string | undefined): StepReview => ({ step, environment: found, elsewhere: [] })
  if (affects === 'none' || changes.length === 0) return review(undefined)
  if (affects === 'environment') return review(guarded.find((one) => one === environment))
  if (affects === 'project') return review(guarded[0])
  const used = await listEnvironmentsUsingSegment(reader, affects.segment)
  const own = used.filter((place) => place.project === project)
  const others = [...new Set(used.map((place) => place.project))].filter((one) => one !== project)
  const isAllowed = step.permissions.every((needed) => hasPermission(actor, needed.name, needed))
  const elsewhere = (await listGuardedEnvironments(reader, others)).filter(
    (place) =>
      (isAllowed || !actor.hidden.includes(place.project)) &&
      used.some((one) => one.project === place.project && one.environment === place.environment) &&
      !hasPermission(actor, 'SKIP_CHANGE_REQUEST', place),
  )
  return { ...review(guarded.find((one) => own.some((place) => place.environment === one))), elsewhere }
}

/**
 * Lists the reasons why applying the steps would fail: a segment that is used in a protected environment of another
 * project, or change requests that would be too large.
 */
export function listObstacles(reviews: readonly StepReview[], { hidden }: Pick<Actor, 'hidden'>): ConfigObstacle[] {
  const abroad = reviews.flatMap(({ step: { kind, name }, elsewhere }) =>
    elsewhere.map(({ project, environment }) => {
      const place = hidden.includes(project) ? 'of another project' : `"${environment}" of the project "${project}"`
      const reason = `It is used in the protected environment ${place}, and a change request of this project cannot change it there.`
      return { kind, name, reason }
    }),
  )
  const proposed = Map.groupBy(
    reviews.filter(({ environment }) => environment !== undefined),
    ({ environment }) => environment as string,
  )
  const large = [...proposed].flatMap(([name, own]) =>
    describeSize(own.flatMap(({ step }) => step.changes)).map((reason) => ({ kind: 'Environment', name, reason })),
  )
  return [...abroad, ...large]
}

function describeSize(changes: ConfigStep['changes']): string[] {
  const characters = changes.reduce((sum, { payload }) => sum + JSON.stringify(payload ?? null).length, 0)
  const advice = 'Apply fewer files at a time.'
  if (changes.length > MAX_CHANGES) {
    return [`${changes.length} changes need a change request, which can have at most ${MAX_CHANGES}. ${advice}`]
  }
  if (characters <= MAX_CHARACTERS) return []
  return [`A change request can have at most ${MAX_CHARACTERS} characters, and would have ${characters}. ${advice}`]
}
