import type { ChangeRequestState } from '@burgee/protocol/administration/change-request'
import { Badge } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import { REQUEST_TEXTS } from './texts.ts'

const COLORS: Readonly<Partial<Record<ChangeRequestState, string>>> = {
  'In review': 'yellow',
  Approved: 'teal',
  Scheduled: 'teal',
  Applied: 'teal',
  Rejected: 'red',
}

/** Badge with the state of a change request. */
export function RequestStateBadge({ state }: { state: ChangeRequestState }) {
  const t = useCatalogue(REQUEST_TEXTS)
  const color = COLORS[state]
  return (
    <Badge variant={color === undefined ? 'default' : 'light'} {...(color === undefined ? {} : { color })} tt="none">
      {t.states[state] ?? state}
    </Badge>
  )
}
