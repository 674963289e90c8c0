import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { DraftHint } from '../../proposals/draft-mark.tsx'
import { useGuards } from '../../proposals/guard.ts'
import { PROPOSAL_TEXTS } from '../../proposals/texts.ts'
import { getAudience, summarizeAudience } from '../../strategy/audience-summary.ts'
import { AUDIENCE_TEXTS } from '../../strategy/audience-texts.ts'
import { useSegmentName } from '../../strategy/use-segment-name.ts'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { type DraggedStrategy, useCopyTarget } from '../copying/strategy-drag.ts'
import { COPYING_TEXTS } from '../copying/texts.ts'
import { FLAG_TEXTS } from '../texts.ts'
import { UsageBars } from '../usage/usage-sparkline.tsx'
import { storeChosenEnvironment } from './chosen-environment.ts'
import styles from './rail.module.css'

interface Props {
  readonly flag: AdminFeature
  /** Environments in display order. */
  readonly environments: readonly AdminFeatureEnvironment[]
  readonly chosen: string
  readonly dragged: DraggedStrategy | undefined
  /**
   * Returns the function that copies the dragged strategy into an environment; undefined if copying there is not
   * permitted.
   */
  readonly drop: (environment: string) => ((strategy: AdminStrategy) => void) | undefined
  /** Content shown below the list. */
  readonly children: React.ReactNode
}

/**
 * List of a flag's environments from which the user chooses one. For each environment, shows the users who get the
 * flag.
 */
export function EnvironmentRail({ flag, environments, chosen, dragged, drop, children }: Props) {
  const t = useTexts(FLAG_TEXTS)
  return (
    <nav className={styles.rail} aria-label={t.flag.environments}>
      <ul>
        {environments.map((one) => (
          <RailItem
            key={one.name}
            flag={flag}
            environment={one}
            isChosen={one.name === chosen}
            dragged={dragged}
            drop={drop(one.name)}
          />
        ))}
      </ul>
      {children}
    </nav>
  )
}

interface ItemProps extends Pick<Props, 'flag' | 'dragged'> {
  readonly environment: AdminFeatureEnvironment
  readonly isChosen: boolean
  readonly drop: ((strategy: AdminStrategy) => void) | undefined
}

function RailItem({ flag, environment, isChosen, dragged, drop }: ItemProps) {
  const t = useTexts(FLAG_TEXTS)
  const own = useCatalogue(COPYING_TEXTS)
  const { name, type, enabled } = environment
  const { project, name: feature } = flag
  const { isGuarded } = useGuards(project)
  const isTarget = drop !== undefined && dragged?.environment !== name
  const target = useCopyTarget(isTarget ? dragged : undefined, (strategy) => drop?.(strategy))
  return (
    <li
      className={styles.item}
      data-environment-type={type}
      title={target['data-takes'] === undefined ? undefined : own.copyTo(name)}
      {...target}
    >
      <Link
        to="/projects/$project/features/$feature"
        params={{ project, feature }}
        search={{ env: name }}
        replace
        className={styles.link ?? ''}
        data-on={enabled || undefined}
        aria-current={isChosen || undefined}
        onClick={() => storeChosenEnvironment(name)}
      >
        <span className={styles.dot} aria-hidden="true" />
        <span className={styles.name}>{name}</span>
        {isGuarded(name) && <GuardMark environment={name} />}
        <span className={styles.state}>{enabled ? t.flags.on : t.flags.off}</span>
        <RailAudience environment={environment} />
        {!flag.archived && <DraftHint project={project} feature={feature} environment={name} enabled={enabled} />}
        <UsageBars feature={feature} environment={name} />
      </Link>
    </li>
  )
}

function GuardMark({ environment }: { environment: string }) {
  const t = useCatalogue(PROPOSAL_TEXTS)
  return (
    <span className={styles.lock} title={t.guardedHint(environment)}>
      <Lock size={13} role="img" aria-label={t.guarded} />
    </span>
  )
}

/** Users who get the flag or, while it is off, would get it if it were on. */
function RailAudience({ environment: { strategies } }: { environment: AdminFeatureEnvironment }) {
  const t = useTexts(AUDIENCE_TEXTS)
  const segmentName = useSegmentName()
  return <span className={styles.audience}>{summarizeAudience(t, getAudience(strategies, segmentName))}</span>
}
