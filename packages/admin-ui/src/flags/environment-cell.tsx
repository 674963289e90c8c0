// biome-ignore-all lint/a11y/useSemanticElements: table rows cannot be positioned freely
import type { ListedFlag } from '../api/flags.ts'
import { isLive } from '../shell/environment/production.ts'
import type { usePermissionCheck } from '../shell/session/session.tsx'
import { summarizeAudience } from '../strategy/audience-summary.ts'
import { AUDIENCE_TEXTS } from '../strategy/audience-texts.ts'
import { shortenMetricName } from '../text/short-metric-name.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { type Columns, getStickyOffset } from './flag-columns.ts'
import { FlagStateBadge, ListSwitch } from './flag-switch.tsx'
import styles from './flags.module.css'
import type { Switches } from './use-switch.ts'

const ListDraft = lazyPart('ListDraft', async () => (await import('../proposals/draft-mark.tsx')).ListDraft)

/** Values that are the same for all cells of a list. */
export interface CellContext {
  readonly switches: Switches
  readonly may: ReturnType<typeof usePermissionCheck>
  /** True if environments of the project are known to require change requests. */
  readonly hasGuards: boolean
}

interface Props {
  readonly project: string
  readonly flag: ListedFlag
  readonly environment: string
  readonly columns: Columns
  readonly shared: CellContext
}

/** State of a flag in one environment, with the users who get the flag. */
export function EnvironmentCell({ project, flag, environment, columns, shared }: Props) {
  const one = flag.environments.find(({ name }) => name === environment)
  const stuck = one !== undefined && isLive(one) ? { insetInlineEnd: getStickyOffset(columns, environment) } : undefined
  return (
    <div
      role="cell"
      className={styles.environment}
      data-environment-type={one?.type}
      data-stuck={stuck && true}
      style={stuck}
    >
      {one && (
        <>
          {flag.archivedAt === null ? (
            <ListSwitch
              switches={shared.switches}
              may={shared.may}
              project={project}
              feature={flag.name}
              environment={environment}
              environmentType={one.type}
              enabled={one.enabled}
              hasOnlyDisabled={one.hasStrategies && !one.hasEnabledStrategies}
            />
          ) : (
            <FlagStateBadge on={one.enabled} />
          )}
          <AudienceText flag={flag} one={one} />
          <PlanText one={one} />
          {shared.hasGuards && (
            <ListDraft project={project} feature={flag.name} environment={environment} enabled={one.enabled} />
          )}
        </>
      )}
    </div>
  )
}

/**
 * Users who get the flag or, while it is off, would get it if it were on. Renders nothing if the flag is off and has no
 * strategies.
 */
function AudienceText({ flag, one }: { flag: ListedFlag; one: Environment }) {
  const t = useTexts(AUDIENCE_TEXTS)
  const { enabled, hasStrategies, enabledStrategyCount, matchesAll, onlyStrategy } = one
  if (!hasStrategies && !enabled) return null
  const nameOf = (id: number): string => flag.usedSegments.find((segment) => segment.id === id)?.name ?? `#${id}`
  const only = onlyStrategy && { ...onlyStrategy, segments: onlyStrategy.segments.map(nameOf) }
  const audience = { hasStrategies, enabledCount: enabledStrategyCount, isEverybody: matchesAll, only }
  const text = summarizeAudience(t, audience)
  return (
    <span className={styles.reach} data-on={enabled || undefined} title={text}>
      {text}
    </span>
  )
}

/**
 * Position in the release plan and, if the plan is paused, the reason for the pause. Renders nothing if there is no
 * plan.
 */
function PlanText({ one }: { one: Environment }) {
  const t = useTexts()
  const { number } = useFormat()
  const { releasePlans: [plan] = [], milestoneOrder = 0, totalMilestones = 0 } = one
  if (plan === undefined) return null
  const { metricName, operator, threshold } = plan.trippedSafeguard ?? {}
  const reason = metricName && [
    shortenMetricName(metricName),
    operator,
    threshold === undefined ? undefined : number(threshold),
  ]
  const condition = reason ? reason.filter((part) => part !== undefined).join(' ') : undefined
  const position = t.flags.milestone(milestoneOrder + 1, totalMilestones)
  const text = plan.pausedAt === null ? position : `${position}, ${t.flags.planPaused(condition)}`
  return (
    <span className={styles.plan} data-paused={plan.pausedAt !== null || undefined} title={`${plan.name}: ${text}`}>
      {text}
    </span>
  )
}

type Environment = ListedFlag['environments'][number]
