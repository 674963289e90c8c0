import type { AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import { useEffect, useState } from 'react'
import type { FlagEnvironment } from '../api/flags.ts'
import { usePart } from '../ui/loading/use-part.ts'

const loadChip = async () => (await import('./delivery-chip.tsx')).DeliveryChip

/** Time in milliseconds during which the requests of the first view take precedence. */
const FIRST_VIEW_MS = 4000

/** True once that time has passed; components that are mounted later then need not wait. */
let isFirstViewOver = false

interface Props {
  readonly place: FlagEnvironment
  readonly environment: AdminFeatureEnvironment
}

/** Delivery chip that is loaded some seconds after the first view, or at once when the flag changes. */
export function LateDeliveryChip({ place, environment }: Props) {
  const isDue = useIsDue(environment)
  const { Part: Chip } = usePart(loadChip, isDue)
  return Chip === undefined ? null : <Chip place={place} />
}

/** Returns true once the flag has changed in the environment or some seconds have passed since the first view. */
function useIsDue(now: AdminFeatureEnvironment): boolean {
  const [before] = useState(now)
  const [isDue, setDue] = useState(isFirstViewOver)
  const hasChanged =
    now.enabled !== before.enabled || now.strategies !== before.strategies || now.variants !== before.variants
  useEffect(() => {
    if (hasChanged) setDue(true)
    const timer = setTimeout(() => {
      isFirstViewOver = true
      setDue(true)
    }, FIRST_VIEW_MS)
    return () => clearTimeout(timer)
  }, [hasChanged])
  return isDue
}
