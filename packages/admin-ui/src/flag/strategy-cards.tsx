import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { ActionIcon, Button, Group } from '@mantine/core'
import { CirclePause, CirclePlay, Copy } from 'lucide-react'
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
  /** True if the flag is on in the environment. */
  readonly isOn: boolean
  /** True if nothing can be changed. */
  readonly isFixed: boolean
  readonly edit: (id: string) => void
  readonly copies: CopyTargets
}

/** Targets and callbacks for copying strategies to other environments. */
interface CopyTargets {
  /** Names of the target environments. */
  readonly targets: readonly string[]
  readonly copy: (strategy: AdminStrategy, environment: string) => Promise<void>
  /** Called with the strategy when a drag starts, and with undefined when it ends. */
  readonly drag: (strategy: AdminStrategy | undefined) => void
}

/** Strategies in their order, movable by mouse or buttons. A user who matches one of them gets the flag. */
export function StrategyCards({ place, strategies, isOn, isFixed, edit, copies }: Props) {
  const t = useTexts(FLAG_TEXTS)
  const may = useMayChange(place.project)
  const mayUpdate = may('UPDATE_FEATURE_STRATEGY', place) && !isFixed
  const mayRemove = may('DELETE_FEATURE_STRATEGY', place) && !isFixed
  const mayAdd = may('CREATE_FEATURE_STRATEGY', place) && !isFixed
  const { sorted, move, drag, said } = useStrategyOrder(place, strategies)
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
            <div className={styles.cardTop}>
              <div className={styles.cardText}>
                <StrategySummary strategy={strategy} />
              </div>
              <Handle
                place={index + 1}
                isMovable={isMovable}
                isCopied={copies.targets.length > 0}
                source={drag.source(index, (isDragged) => copies.drag(isDragged ? strategy : undefined))}
              />
            </div>
            <StrategyActions
              edit={mayUpdate ? () => edit(strategy.id) : undefined}
              isDisabled={strategy.disabled}
              toggle={mayUpdate ? () => void toggle(strategy, isLast(strategy)) : undefined}
              repeat={mayAdd ? () => void repeat(strategy) : undefined}
              remove={mayRemove ? () => void remove(strategy, isLast(strategy)) : undefined}
              move={isMovable ? (by) => move(index, index + by) : undefined}
              isFirst={index === 0}
              isEnd={index === sorted.length - 1}
              more={<CopyMenu strategy={strategy} place={index + 1} copies={copies} />}
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

interface StrategyActionsProps {
  /** Actions that are not permitted are undefined. */
  readonly edit: (() => void) | undefined
  readonly isDisabled: boolean
  readonly toggle: (() => void) | undefined
  readonly repeat: (() => void) | undefined
  readonly remove: (() => void) | undefined
  readonly move: ((by: -1 | 1) => void) | undefined
  readonly isFirst: boolean
  readonly isEnd: boolean
  readonly more: React.ReactNode
}

/** Actions on a strategy. */
function StrategyActions({
  edit,
  isDisabled,
  toggle,
  repeat,
  remove,
  move,
  isFirst,
  isEnd,
  more,
}: StrategyActionsProps) {
  const t = useTexts(FLAG_TEXTS)
  return (
    <Group gap={4} mt="xs">
      {edit && (
        <Button size="compact-sm" variant="default" onClick={edit}>
          {t.common.edit}
        </Button>
      )}
      {toggle && (
        <IconButton
          label={isDisabled ? t.flag.enableStrategy : t.flag.disableStrategy}
          icon={isDisabled ? CirclePlay : CirclePause}
          act={toggle}
        />
      )}
      {repeat && <IconButton label={t.flag.repeatStrategy} icon={Copy} act={repeat} />}
      {remove && (
        <Button size="compact-sm" variant="subtle" c="var(--bad)" onClick={remove}>
          {t.common.remove}
        </Button>
      )}
      {more}
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

function IconButton({ label, icon: Icon, act }: { label: string; icon: typeof Copy; act: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="md" aria-label={label} title={label} onClick={act}>
      <Icon size={16} strokeWidth={1.9} aria-hidden="true" />
    </ActionIcon>
  )
}

interface HandleProps {
  readonly place: number
  readonly isMovable: boolean
  readonly isCopied: boolean
  readonly source: React.HTMLAttributes<HTMLElement>
}

/** Drag handle of a card, if it can be moved or copied. Keyboard users have the buttons and the menu. */
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

/** Menu of environments to copy a strategy to. */
function CopyMenu({ strategy, place, copies }: { strategy: AdminStrategy; place: number; copies: CopyTargets }) {
  const own = useCatalogue(COPYING_TEXTS)
  const acts = copies.targets.map(
    (name): RowAction => ({
      label: own.copyLabel(place, name),
      text: own.copyTo(name),
      act: () => copies.copy(strategy, name),
    }),
  )
  return <RowMenu label={own.elsewhere(place)} acts={acts} />
}

/** Button that stays focusable at the ends of the list, where it does nothing. */
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
