import type { Event } from '@burgee/protocol/event'
import { linkOptions } from '@tanstack/react-router'
import { PAST_TEXTS } from '../past/texts.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { type RowLink, RowMenu } from '../ui/page/row-menu.tsx'
import { subjectOf } from './event-subject.ts'
import { EVENT_TEXTS } from './texts.ts'
import { useUndo } from './use-undo.ts'

/** Events that change the state of a flag. */
const OF_STATE = /^(feature-(?!(un)?favorited|(un)?completed|potentially|comment-)|strategy-order-changed)/

/** Actions on an event: show the flag at that time, or undo the event. */
export function EventMenu({ event }: { event: Event }) {
  const t = useTexts()
  const log = useCatalogue(EVENT_TEXTS).log
  const acts = [useThen(event), useUndo(event)].filter((act) => act !== undefined)
  const whose = log.ofWhom(subjectOf(event), event.environment ?? '')
  const what = log.types[event.type] ?? event.type
  return <RowMenu label={`${t.common.more}: ${what}${whose === '' ? '' : `, ${whose}`}`} acts={acts} />
}

/** Returns a link to the flag's state directly after an event. */
function useThen({ id, type, project, featureName, createdAt }: Event): RowLink | undefined {
  const t = useCatalogue(PAST_TEXTS)
  const { time } = useFormat()
  if (featureName === null || project === null || !OF_STATE.test(type)) return undefined
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
