import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { Button } from '@mantine/core'
import type { FlagEnvironment } from '../api/flags.ts'
import { useMayChange } from '../proposals/may-change.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { MovingList } from '../ui/motion/moving-list.tsx'
import { type RowAction, RowMenu } from '../ui/page/row-menu.tsx'
import { COPYING_TEXTS } from './copying/texts.ts'
import { useDuplicateStrategy } from './copying/use-strategy-copy.ts'
import styles from './flag.module.css'
import { StrategySummary } from './strategy-summary.tsx'
import { FLAG_TEXTS } from './texts.ts'
import { useStrategyChanges } from './use-strategy-changes.ts'
import { useStrategyOrder } from './use-strategy-order.ts'
import { useToggleStrategy } from './use-toggle-strategy.ts'

interface Props {
  readonly place: FlagEnvironment
  readonly strategies: readonly AdminStrategy[]
  /** True if the flag is on in the environment and this is its only strategy. */
  readonly isOn: boolean
  /** True if the strategies are read-only. */
  readonly isFixed: boolean
  readonly edit: (id: string) => void
  readonly copies: CopyTargets
}

/** Target environments and callbacks for copying strategies. */
interface CopyTargets {
  /** Names of the target environments. */
  readonly targets: readonly string[]
  readonly copy: (strategy: AdminStrategy, environment: string) => Promise<void>
  /** Called with the strategy when a drag starts, and with undefined when it ends. */
  readonly drag: (strategy: AdminStrategy | undefined) => void
}

/**
 * Strategies in their order, which can be changed with the mouse or with buttons. A user who matches any of the
 * strategies gets the flag.
 */
export function StrategyCards({ place, strategies, isOn, isFixed, edit, copies }: Props) {
  const t = useTexts(FLAG_TEXTS)
  const may = useMayChange(place.project)
  const mayUpdate = may('UPDATE_FEATURE_STRATEGY', place) && !isFixed
  const mayRemove = may('DELETE_FEATURE_STRATEGY', place) && !isFixed
  const mayAdd = may('CREATE_FEATURE_STRATEGY', place) && !isFixed
  const { sorted, move, drag, announcement } = useStrategyOrder(place, strategies)
  const { remove } = useStrategyChanges(place)
  const toggle = useToggleStrategy(place)
  const repeat = useDuplicateStrategy(place)
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
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            <div className={styles.cardText}>
              <StrategySummary strategy={strategy} />
            </div>
            <div className={styles.cardActions}>
              <Handle
                place={index + 1}
                isMovable={isMovable}
                isCopied={copies.targets.length > 0}
                source={drag.source(index, (isDragged) => copies.drag(isDragged ? strategy : undefined))}
              />
              {mayUpdate && (
                <Button size="compact-sm" variant="default" onClick={() => edit(strategy.id)}>
                  {t.common.edit}
                </Button>
              )}
              <StrategyMenu
                place={index + 1}
                isDisabled={strategy.disabled}
                toggle={mayUpdate ? () => void toggle(strategy, isLast(strategy)) : undefined}
                repeat={mayAdd ? () => void repeat(strategy) : undefined}
                remove={mayRemove ? () => void remove(strategy, isLast(strategy)) : undefined}
                up={isMovable && index > 0 ? () => move(index, index - 1) : undefined}
                down={isMovable && index < sorted.length - 1 ? () => move(index, index + 1) : undefined}
                targets={copies.targets}
                copy={(environment) => copies.copy(strategy, environment)}
              />
            </div>
            {index < sorted.length - 1 && <span className={styles.or}>{t.flag.anyOf}</span>}
          </li>
        ))}
      </MovingList>
      <span role="status" className={styles.announcement}>
        {announcement}
      </span>
    </>
  )
}

interface MenuProps {
  /** Position of the strategy, starting at 1. */
  readonly place: number
  readonly isDisabled: boolean
  /** An action is undefined if it is not permitted or not possible. */
  readonly toggle: (() => void) | undefined
  readonly repeat: (() => void) | undefined
  readonly remove: (() => void) | undefined
  readonly up: (() => void) | undefined
  readonly down: (() => void) | undefined
  /** Environments to which the strategy can be copied. */
  readonly targets: readonly string[]
  readonly copy: (environment: string) => Promise<void>
}

/** Menu of the less frequent actions on a strategy. */
function StrategyMenu({ place, isDisabled, toggle, repeat, remove, up, down, targets, copy }: MenuProps) {
  const t = useTexts(FLAG_TEXTS)
  const own = useCatalogue(COPYING_TEXTS)
  const acts = [
    toAction(isDisabled ? t.flag.enableStrategy : t.flag.disableStrategy, toggle),
    toAction(t.flag.repeatStrategy, repeat),
    ...targets.map(
      (name): RowAction => ({ label: own.copyLabel(place, name), text: own.copyTo(name), act: () => copy(name) }),
    ),
    toAction(t.flag.moveUp, up),
    toAction(t.flag.moveDown, down),
    toAction(t.flag.removeStrategy, remove, true),
  ]
  return <RowMenu label={t.flag.moreOfStrategy(place)} acts={acts.filter((one) => one !== undefined)} />
}

const toAction = (text: string, act: (() => void) | undefined, isDanger = false): RowAction | undefined =>
  act && { label: text, text, act, isDanger }

interface HandleProps {
  readonly place: number
  readonly isMovable: boolean
  readonly isCopied: boolean
  readonly source: React.HTMLAttributes<HTMLElement>
}

/** Drag handle of a card whose strategy can be moved or copied. Keyboard users have the buttons and the menu. */
function Handle({ place, isMovable, isCopied, source }: HandleProps) {
  const own = useCatalogue(COPYING_TEXTS)
  if (!isMovable && !isCopied) return null
  const title = isMovable ? (isCopied ? own.dragBoth : own.dragMove) : own.dragCopy
  return (
    <span className={styles.handle} title={title(place)} aria-hidden="true" {...source}>
      ⠿
    </span>
  )
}
