import type { IntegrationEvent } from '@burgee/protocol/administration/integration'
import { Badge } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import { INTEGRATION_TEXTS } from './texts.ts'

/** Badge that shows whether a delivery was successful. */
export function DeliveryBadge({ state }: { state: IntegrationEvent['state'] }) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const isGood = state === 'success'
  return (
    <Badge variant="light" color={isGood ? 'teal' : 'red'} tt="none">
      {isGood ? t.arrived : t.failed}
    </Badge>
  )
}
