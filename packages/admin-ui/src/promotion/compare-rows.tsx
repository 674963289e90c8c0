import type { ComparedFlag } from '@burgee/protocol/administration/promotion'
import { Badge } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { EnvironmentChip } from '../shell/environment/environment-chip.tsx'
import { useCatalogue } from '../text/texts.tsx'
import ui from '../ui/ui.module.css'
import { PartComparison } from './part-comparison.tsx'
import styles from './promotion.module.css'
import type { ComparedEnvironments } from './promotion-calls.ts'
import { StateCell } from './state-cell.tsx'
import { PROMOTION_TEXTS } from './texts.ts'

/** Height in pixels of a row without its details. Visible rows are measured. */
const ROW_HEIGHT_PX = 45

interface Props {
  readonly compared: ComparedEnvironments
  readonly flags: readonly ComparedFlag[]
  /** Names of the selected flags; undefined if the user has no permission for any action. */
  readonly chosen: ReadonlySet<string> | undefined
  readonly choose: (name: string) => void
}

/** Virtualized list of flags in both environments side by side: only visible rows are rendered. */
export function CompareRows({ compared, flags, chosen, choose }: Props) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const box = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: flags.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT_PX,
    getItemKey: (index) => flags[index]?.name ?? index,
    overscan: 6,
  })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to focus a scrolling region
    <section className={styles.rows} ref={box} tabIndex={0} aria-label={t.list}>
      <div className={styles.head} aria-hidden="true">
        <span>{t.flag}</span>
        <EnvironmentChip name={compared.from} />
        <EnvironmentChip name={compared.to} />
        <span>{t.differences}</span>
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
  /** True if the flag is selected; undefined if the flag cannot be selected. */
  readonly isChosen: boolean | undefined
  readonly choose: (name: string) => void
}

function Row({ compared: { project, from, to }, flag, isChosen, choose }: RowProps) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { name, differences } = flag
  const states = flag.from !== undefined && flag.to !== undefined ? { left: flag.from, right: flag.to } : undefined
  const Chevron = isOpen ? ChevronDown : ChevronRight
  return (
    <>
      <div className={styles.cells}>
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
        </div>
        {states === undefined ? (
          <Badge variant="default" tt="none" className={styles.same ?? ''}>
            {t.same}
          </Badge>
        ) : (
          <>
            <StateCell environment={from} state={states.left} differences={differences} />
            <StateCell environment={to} state={states.right} differences={differences} />
            <button
              type="button"
              className={styles.more}
              aria-expanded={isOpen}
              aria-controls={id}
              aria-label={`${t.details(name)}: ${differences.map((part) => t.parts[part]).join(', ')}`}
              onClick={() => setOpen(!isOpen)}
            >
              <span>{differences.map((part) => t.parts[part]).join(', ')}</span>
              <Chevron size={16} aria-hidden="true" />
            </button>
          </>
        )}
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && states !== undefined && (
          <PartComparison feature={name} {...states} parts={differences} terms={[from, to]} />
        )}
      </div>
    </>
  )
}
