import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagEnvironment } from '../api/flags.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { getCoverage, isComplete } from './delivery-coverage.ts'
import { createDeliveryQuery } from './delivery-query.ts'
import styles from './fleet.module.css'
import { FLEET_TEXTS } from './texts.ts'

const DeliveryPanel = lazyDialog('DeliveryPanel', async () => (await import('./delivery-panel.tsx')).DeliveryPanel)

/**
 * Chip next to a switch; it fills up as more processes get the latest change, and opens the list of waiting processes.
 * Not rendered if no process that receives the flag is connected.
 */
export function DeliveryChip({ place }: { place: FlagEnvironment }) {
  const own = useCatalogue(FLEET_TEXTS)
  const { number } = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery(createDeliveryQuery(place))
  if (data === undefined) return null
  const { areEdges, known, held, isSilent } = getCoverage(data)
  if (known === 0) return null
  const state = isComplete(data) ? 'complete' : isSilent ? 'silent' : 'waiting'
  const counts = [number(held), number(known)] as const
  const label = (areEdges ? own.edgeChipLabel : own.chipLabel)(place.environment, ...counts)
  return (
    <>
      <button
        type="button"
        className={styles.chip}
        data-state={state}
        style={{ '--share': `${(held / known) * 100}%` } as Record<string, string>}
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        {(areEdges ? own.edgeChip : own.chip)(...counts)}
      </button>
      {isOpen && <DeliveryPanel place={place} close={() => setOpen(false)} />}
    </>
  )
}
