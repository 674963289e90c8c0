// biome-ignore-all lint/a11y/useSemanticElements: table rows cannot be positioned freely
import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { isLive } from '../shell/environment/production.ts'
import type { usePermissionCheck } from '../shell/session/session.tsx'
import { useFormat, useTexts } from '../text/texts.tsx'
import { type Columns, getStickyOffset } from './flag-columns.ts'
import { FlagStateBadge, ListSwitch } from './flag-switch.tsx'
import styles from './flags.module.css'
import type { Switches } from './use-switch.ts'

/** Values that all cells of a list share. */
export interface CellContext {
  readonly switches: Switches
  readonly may: ReturnType<typeof usePermissionCheck>
}

interface Props {
  readonly project: string
  readonly flag: FeatureListItem
  readonly environment: string
  readonly columns: Columns
  readonly shared: CellContext
}

/** State of a flag in one environment with its rollout and number of strategies. */
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
          <span className={styles.narrowName} aria-hidden="true">
            {environment}
          </span>
          {flag.archivedAt === null ? (
            <ListSwitch
              {...shared}
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
          <Rollout one={one} />
        </>
      )}
    </div>
  )
}

/** Rollout percentage of the strategies. Renders nothing if there are no strategies. */
function Rollout({ one: { enabled, enabledStrategyCount: count, rollout } }: { one: Environment }) {
  const t = useTexts()
  const { number } = useFormat()
  if (count === 0) return null
  const strategies = t.list.strategies(count, number(count))
  const share = rollout === null ? undefined : t.common.percent(number(rollout))
  // Several strategies may match different users, so the largest share is only an upper bound.
  const shown = share !== undefined && count > 1 ? `≤ ${share}` : share
  return (
    <span className={styles.reach} data-on={enabled || undefined} title={share && t.list.reach(share, strategies)}>
      {shown !== undefined && <span className={styles.share}>{shown}</span>}
      <span>{strategies}</span>
    </span>
  )
}

type Environment = FeatureListItem['environments'][number]
