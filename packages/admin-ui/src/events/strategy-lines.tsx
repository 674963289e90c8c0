import type { Event } from '@burgee/protocol/event'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue } from '../text/texts.tsx'
import styles from './events.module.css'

const STRATEGY_EVENTS = /^feature-strategy-(add|update|remove)$/

/**
 * Strategy before and after an event that changed it, in the same sentences as on the flag page. Renders nothing for
 * other events.
 */
export function StrategyLines({ event: { type, preData, data } }: { event: Event }) {
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  if (!STRATEGY_EVENTS.test(type)) return null
  const toText = (state: unknown): string | undefined => {
    if (!isStrategy(state)) return undefined
    const sentence = describeStrategy(words, { ...state, parameters: state.parameters ?? {} }, segmentName)
    return state.title ? `${state.title}: ${sentence}` : sentence
  }
  const [before, after] = [toText(preData), toText(data)]
  if (before === after) return null
  return (
    <p className={styles.sentence}>
      {before !== undefined && <del className={styles.was}>{before}</del>}
      {after !== undefined && <ins className={styles.is}>{after}</ins>}
    </p>
  )
}

const isStrategy = (state: unknown): state is AdminStrategy =>
  typeof state === 'object' && state !== null && 'name' in state && typeof state.name === 'string'
