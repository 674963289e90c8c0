import type { ComparedFlag } from '@burgee/protocol/administration/promotion'
import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { PartComparison } from './part-comparison.tsx'
import styles from './promotion.module.css'
import type { ComparedEnvironments } from './promotion-calls.ts'
import { PROMOTION_TEXTS } from './texts.ts'

/** Estimated height in pixels of a flag with one difference. Visible rows are measured. */
const DEFAULT_HEIGHT_PX = 150
const EQUAL_HEIGHT_PX = 44

interface Props {
  readonly compared: ComparedEnvironments
  readonly flags: readonly ComparedFlag[]
  /** Names of the selected flags; undefined if the user cannot act on them. */
  readonly chosen: ReadonlySet<string> | undefined
  readonly choose: (name: string) => void
}

/** Virtualized list of flags side by side: only visible rows are rendered. */
export function CompareRows({ compared, flags, chosen, choose }: Props) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const box = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: flags.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (flags[index]?.differences.length === 0 ? EQUAL_HEIGHT_PX : DEFAULT_HEIGHT_PX),
    getItemKey: (index) => flags[index]?.name ?? index,
    overscan: 6,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus a scrolling region
    <section className={styles.rows} ref={box} tabIndex={0} aria-label={t.list}>
      <div className={styles.head} aria-hidden="true">
        <span />
        <EnvironmentChip name={compared.from} />
        <EnvironmentChip name={compared.to} />
      </div>
      <ul className={styles.all} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const flag = flags[index]
          return (
            flag !== undefined && (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-setsize={flags.length}
                aria-posinset={index + 1}
                className={styles.row}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row compared={compared} flag={flag} isChosen={chosen?.has(flag.name)} choose={choose} />
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly compared: ComparedEnvironments
  readonly flag: ComparedFlag
  /** Undefined if the flag cannot be selected. */
  readonly isChosen: boolean | undefined
  readonly choose: (name: string) => void
}

function Row({ compared: { project, from, to }, flag, isChosen, choose }: RowProps) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const { name, differences } = flag
  return (
    <>
      <div className={styles.rowHead}>
        {isChosen !== undefined && differences.length > 0 && (
          <label className={styles.check}>
            <input type="checkbox" checked={isChosen} aria-label={t.choose(name)} onChange={() => choose(name)} />
          </label>
        )}
        <Link
          to="/projects/$project/features/$feature"
          params={{ project, feature: name }}
          className={`${ui.link} ${styles.name}`}
        >
          {name}
        </Link>
        {differences.length === 0 && (
          <Badge variant="default" tt="none">
            {t.same}
          </Badge>
        )}
      </div>
      {flag.from !== undefined && flag.to !== undefined && (
        <PartComparison feature={name} left={flag.from} right={flag.to} parts={differences} terms={[from, to]} />
      )}
    </>
  )
}
