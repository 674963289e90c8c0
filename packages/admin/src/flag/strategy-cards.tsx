import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { ActionIcon, Button, Group } from '@mantine/core'
import { CirclePause, CirclePlay, Copy } from 'lucide-react'
import type { FlagPlace } from '../api/flags.ts'
import { useMay } from '../shell/session/session.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { MovingList } from '../ui/motion/moving-list.tsx'
import styles from './flag.module.css'
import { StrategySentence } from './strategy-sentence.tsx'
import { FLAG_TEXTS } from './texts.ts'
import { useStrategyCopy, useStrategyToggle } from './use-strategy-acts.ts'
import { useStrategyChanges } from './use-strategy-changes.ts'
import { useStrategyOrder } from './use-strategy-order.ts'

interface Props {
  readonly place: FlagPlace
  readonly strategies: readonly AdminStrategy[]
  /** The flag is on there. */
  readonly isOn: boolean
  /** Nothing can be changed. */
  readonly isFixed: boolean
  readonly edit: (id: string) => void
}

/** Strategies in their order, to move by mouse or by buttons; who meets one of them is in. */
export function StrategyCards({ place, strategies, isOn, isFixed, edit }: Props) {
  const t = useTexts(FLAG_TEXTS)
  const may = useMay()
  const mayUpdate = may('UPDATE_FEATURE_STRATEGY', place) && !isFixed
  const mayRemove = may('DELETE_FEATURE_STRATEGY', place) && !isFixed
  const mayAdd = may('CREATE_FEATURE_STRATEGY', place) && !isFixed
  const { sorted, move, drag, said } = useStrategyOrder(place, strategies)
  const { remove } = useStrategyChanges(place)
  const toggle = useStrategyToggle(place)
  const repeat = useStrategyCopy(place)
  const enabled = strategies.filter(({ disabled }) => !disabled)
  const isLast = ({ id }: AdminStrategy) => isOn && enabled.every((one) => one.id === id)
  const isMovable = mayUpdate && sorted.length > 1
  return (
    <>
      <MovingList as="ol" className={styles.cards} aria-label={t.flag.strategies}>
        {sorted.map((strategy, index) => (
          <li
            key={strategy.id}
            className={styles.card}
            data-disabled={strategy.disabled || undefined}
            {...(isMovable ? drag.target(index) : {})}
          >
            <div className={styles.cardTop}>
              <div className={styles.cardText}>
                <StrategySentence strategy={strategy} />
              </div>
              {isMovable && <Handle place={index + 1} source={drag.source(index)} />}
            </div>
            <Acts
              edit={mayUpdate ? () => edit(strategy.id) : undefined}
              isDisabled={strategy.disabled}
              toggle={mayUpdate ? () => void toggle(strategy, isLast(strategy)) : undefined}
              repeat={mayAdd ? () => void repeat(strategy) : undefined}
              remove={mayRemove ? () => void remove(strategy, isLast(strategy)) : undefined}
              move={isMovable ? (by) => move(index, index + by) : undefined}
              isFirst={index === 0}
              isEnd={index === sorted.length - 1}
            />
            {index < sorted.length - 1 && <span className={styles.or}>{t.flag.anyOf}</span>}
          </li>
        ))}
      </MovingList>
      <span role="status" className={styles.said}>
        {said}
      </span>
    </>
  )
}

interface ActsProps {
  /** What is not allowed is not there. */
  readonly edit: (() => void) | undefined
  readonly isDisabled: boolean
  readonly toggle: (() => void) | undefined
  readonly repeat: (() => void) | undefined
  readonly remove: (() => void) | undefined
  readonly move: ((by: -1 | 1) => void) | undefined
  readonly isFirst: boolean
  readonly isEnd: boolean
}

/** What can be done with a strategy. */
function Acts({ edit, isDisabled, toggle, repeat, remove, move, isFirst, isEnd }: ActsProps) {
  const t = useTexts(FLAG_TEXTS)
  return (
    <Group gap={4} mt="xs">
      {edit && (
        <Button size="compact-sm" variant="default" onClick={edit}>
          {t.common.edit}
        </Button>
      )}
      {toggle && (
        <Sign
          label={isDisabled ? t.flag.enableStrategy : t.flag.disableStrategy}
          icon={isDisabled ? CirclePlay : CirclePause}
          act={toggle}
        />
      )}
      {repeat && <Sign label={t.flag.repeatStrategy} icon={Copy} act={repeat} />}
      {remove && (
        <Button size="compact-sm" variant="subtle" c="var(--bad)" onClick={remove}>
          {t.common.remove}
        </Button>
      )}
      <span className={styles.grow} />
      {move && (
        <>
          <Move label={t.flag.moveUp} sign="↑" isOff={isFirst} go={() => move(-1)} />
          <Move label={t.flag.moveDown} sign="↓" isOff={isEnd} go={() => move(1)} />
        </>
      )}
    </Group>
  )
}

function Sign({ label, icon: Icon, act }: { label: string; icon: typeof Copy; act: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="md" aria-label={label} title={label} onClick={act}>
      <Icon size={16} strokeWidth={1.9} aria-hidden="true" />
    </ActionIcon>
  )
}

/** What a card is dragged by; keys have the buttons. */
function Handle({ place, source }: { place: number; source: React.HTMLAttributes<HTMLElement> }) {
  const { order } = useCatalogue(FLAG_TEXTS)
  return (
    <span className={styles.handle} title={order.drag(place)} aria-hidden="true" {...source}>
      ⠿
    </span>
  )
}

/** Stays in reach of the keyboard at the ends, where it does nothing. */
function Move({ label, sign, isOff, go }: { label: string; sign: string; isOff: boolean; go: () => void }) {
  return (
    <ActionIcon
      variant="default"
      size="sm"
      aria-label={label}
      aria-disabled={isOff}
      data-off={isOff || undefined}
      className={styles.move ?? ''}
      onClick={() => !isOff && go()}
    >
      {sign}
    </ActionIcon>
  )
}
