import { ArrowRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { PaletteEntry, PaletteEntryGroup } from './entry.ts'
import styles from './palette.module.css'

interface Props {
  readonly id: string
  readonly groups: readonly PaletteEntryGroup[]
  readonly marked: PaletteEntry | undefined
  readonly idOf: (entry: PaletteEntry) => string
  readonly run: (entry: PaletteEntry) => void
}

/** Grouped entries of the palette. The highlighted entry is scrolled into view. */
export function EntryList({ id, groups, marked, idOf, run }: Props) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the active item changes
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [marked?.id])
  return (
    <div ref={list} id={id} role="listbox" className={styles.list} tabIndex={-1}>
      {groups.map(({ group, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox is not a fieldset
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div id={`${id}-${group}`} className={styles.group} role="presentation">
            {group}
          </div>
          {entries.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field keeps the focus and handles the keys
            <div
              key={entry.id}
              id={idOf(entry)}
              role="option"
              tabIndex={-1}
              aria-selected={entry === marked}
              className={styles.entry}
              // The input keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(entry)}
            >
              <EntryIcon entry={entry} />
              <span className={styles.label}>{entry.label}</span>
              {entry.description !== undefined && <span className={styles.description}>{entry.description}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

function EntryIcon({ entry: { icon: Icon = ArrowRight } }: { entry: PaletteEntry }) {
  return <Icon size={16} strokeWidth={1.9} aria-hidden="true" className={styles.icon} />
}
