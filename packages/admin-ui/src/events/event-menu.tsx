import type { Event } from '@burgee/protocol/event'
import { linkOptions } from '@tanstack/react-router'
import { HISTORY_TEXTS } from '../flag-history/texts.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { type RowLink, RowMenu } from '../ui/page/row-menu.tsx'
import { getEventSubject } from './event-subject.ts'
import { EVENT_TEXTS } from './texts.ts'
import { useUndo } from './use-undo.ts'

/** Events that change the state of a flag. */
const STATE_EVENTS = /^(feature-(?!(un)?favorited|(un)?completed|potentially|comment-)|strategy-order-changed)/

/** Actions on an event: show the flag at that time, or undo the event. */
export function EventMenu({ event }: { event: Event }) {
  const t = useTexts()
  const log = useCatalogue(EVENT_TEXTS).log
  const acts = [useHistoryLink(event), useUndo(event)].filter((act) => act !== undefined)
  const whose = log.ofWhom(getEventSubject(event), event.environment ?? '')
  const what = log.types[event.type] ?? event.type
  return <RowMenu label={`${t.common.more}: ${what}${whose === '' ? '' : `, ${whose}`}`} acts={acts} />
}

/** Returns a link to the flag's state directly after an event. */
function useHistoryLink({ id, type, project, featureName, createdAt }: Event): RowLink | undefined {
  const t = useCatalogue(HISTORY_TEXTS)
  const { time } = useFormat()
  if (featureName === null || project === null || !STATE_EVENTS.test(type)) return undefined
  return {
    label: t.thenOf(featureName, time(createdAt)),
    text: t.flagThen,
    link: linkOptions({
      to: '/projects/$project/features/$feature',
      params: { project, feature: featureName },
      search: { tab: 'history', event: id },
    }),
  }
}
