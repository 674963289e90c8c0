// biome-ignore-all lint/a11y/useSemanticElements: table rows cannot be positioned freely
import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ListedFlag } from '../api/flags.ts'
import { useFormat, useTexts } from '../text/texts.tsx'
import { type CellContext, EnvironmentCell } from './environment-cell.tsx'
import { FavoriteButton } from './favorite-button.tsx'
import type { Columns, PlainColumn } from './flag-columns.ts'
import styles from './flags.module.css'
import { RowMenuButton } from './menus/row-menu-button.tsx'
import { StaleBadge } from './stale-badge.tsx'
import { TruncatedName } from './truncated-name.tsx'

interface Props {
  readonly project: string
  readonly flag: ListedFlag | undefined
  readonly columns: Columns
  /** True if the description is shown below the name. */
  readonly hasTwoLines: boolean
  /** True if the row is selected; undefined if the user cannot select rows. */
  readonly isSelected: boolean | undefined
  readonly choose: (isRange: boolean) => void
  readonly shared: CellContext
}

/** Row of one flag; a skeleton until the flag is loaded. */
export function FlagRow({ project, flag, columns, hasTwoLines, isSelected, choose, shared }: Props) {
  const t = useTexts()
  if (flag === undefined) return <Skeleton height={14} width="60%" my="auto" mx={16} />
  const { name: feature } = flag
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
      <NameCell project={project} flag={flag} hasTwoLines={hasTwoLines} />
      {columns.plain.map((column) => (
        <PlainCell key={column} flag={flag} column={column} />
      ))}
      {columns.environments.map((environment) => (
        <EnvironmentCell
          key={environment}
          project={project}
          flag={flag}
          environment={environment}
          columns={columns}
          shared={shared}
        />
      ))}
    </>
  )
}

function PlainCell({ flag, column }: { flag: ListedFlag; column: PlainColumn }) {
  const t = useTexts()
  const { date, ago } = useFormat()
  const text = {
    type: () => t.types[flag.type] ?? flag.type,
    stage: () => t.stages[flag.lifecycle.stage],
    createdBy: () => flag.createdBy?.name ?? '–',
    lastSeenAt: () => (flag.lastSeenAt === null ? t.list.notSeen : ago(flag.lastSeenAt)),
    createdAt: () => ago(flag.createdAt),
  }[column]()
  const time = column === 'createdAt' || column === 'lastSeenAt' ? flag[column] : null
  const unseen = column === 'lastSeenAt' ? `${t.list.notSeenYet}. ${t.list.notSeenHint}` : text
  return (
    <div role="cell" className={styles.plain} title={time === null ? unseen : date(time)}>
      {text}
    </div>
  )
}

function NameCell({ project, flag, hasTwoLines }: { project: string; flag: ListedFlag; hasTwoLines: boolean }) {
  const { name: feature, description, tags } = flag
  const words = tags.map(({ type, value }) => `${type}:${value}`).join(' · ')
  return (
    <div role="cell" className={styles.name} title={description ?? undefined}>
      <div className={styles.nameLine}>
        <FavoriteButton project={project} feature={feature} isOne={flag.favorite} />
        <Link
          to="/projects/$project/features/$feature"
          params={{ project, feature }}
          className={styles.link ?? ''}
          title={description ? `${feature}\n${description}` : feature}
          aria-label={feature}
        >
          <TruncatedName name={feature} />
        </Link>
        <StaleBadge flag={flag} size="sm" />
        {words !== '' && <span className={styles.tags}>{words}</span>}
        <RowMenuButton project={project} flag={flag} />
      </div>
      {hasTwoLines && description && <div className={styles.secondLine}>{description}</div>}
    </div>
  )
}
