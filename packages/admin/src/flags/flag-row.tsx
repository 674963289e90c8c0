// biome-ignore-all lint/a11y/useSemanticElements: rows of a table element cannot be placed freely
import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFormat, useTexts } from '../text/texts.tsx'
import { FlagSwitch, StateBadge } from './flag-switch.tsx'
import styles from './flags.module.css'
import { StaleBadge } from './stale-badge.tsx'

interface Props {
  readonly project: string
  readonly flag: FeatureListItem | undefined
  /** Environments, a column each. */
  readonly names: readonly string[]
  /** Undefined for who has nothing to select for. */
  readonly isSelected: boolean | undefined
  readonly choose: (isRange: boolean) => void
}

/** One flag of the list; a shape of it until it has come. */
export function FlagRow({ project, flag, names, isSelected, choose }: Props) {
  const t = useTexts()
  const { date, ago } = useFormat()
  if (flag === undefined) return <Skeleton height={14} width="60%" my="auto" mx={16} />
  const { name: feature, type, createdAt, lastSeenAt } = flag
  return (
    <>
      <div role="cell" className={styles.choice}>
        {isSelected !== undefined && (
          <label className={styles.check}>
            <input
              type="checkbox"
              aria-label={t.list.select(feature)}
              checked={isSelected}
              onChange={() => undefined}
              onClick={(event) => choose(event.shiftKey)}
            />
          </label>
        )}
      </div>
      <NameCell project={project} flag={flag} />
      <div role="cell" className={styles.type}>
        {t.types[type] ?? type}
      </div>
      <div role="cell" className={styles.seen} title={lastSeenAt === null ? undefined : date(lastSeenAt)}>
        {lastSeenAt === null ? t.common.never : ago(lastSeenAt)}
      </div>
      <div role="cell" className={styles.created} title={date(createdAt)}>
        {ago(createdAt)}
      </div>
      {names.map((environment) => (
        <EnvironmentCell key={environment} project={project} flag={flag} environment={environment} />
      ))}
    </>
  )
}

function NameCell({ project, flag }: { project: string; flag: FeatureListItem }) {
  const { name: feature, description, tags } = flag
  const words = tags.map(({ type, value }) => `${type}:${value}`).join(' · ')
  return (
    <div role="cell" className={styles.name}>
      <div className={styles.nameLine}>
        <Link
          to="/projects/$project/features/$feature"
          params={{ project, feature }}
          className={styles.link ?? ''}
          title={feature}
        >
          {feature}
        </Link>
        <StaleBadge flag={flag} size="sm" />
      </div>
      {(words !== '' || description) && (
        <div className={styles.description}>
          {words !== '' && <span className={styles.tags}>{words}</span>} {description}
        </div>
      )}
    </div>
  )
}

function EnvironmentCell(props: { project: string; flag: FeatureListItem; environment: string }) {
  const { project, flag, environment } = props
  const one = flag.environments.find(({ name }) => name === environment)
  return (
    <div role="cell" className={styles.environment}>
      {one && (
        <>
          <span className={styles.narrowName} aria-hidden="true">
            {environment}
          </span>
          {flag.archivedAt === null ? (
            <FlagSwitch
              {...{ project, feature: flag.name, environment }}
              environmentType={one.type}
              enabled={one.enabled}
              hasOnlyDisabled={one.hasStrategies && !one.hasEnabledStrategies}
            />
          ) : (
            <StateBadge on={one.enabled} />
          )}
        </>
      )}
    </div>
  )
}
