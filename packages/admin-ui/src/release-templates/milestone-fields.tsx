import { MAX_INTERVAL_MINUTES } from '@burgee/protocol/administration/release-plan'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import { isReady, type StrategyDraft, toStrategyInput } from '../strategy/strategy-draft.ts'
import { StrategyForm } from '../strategy/strategy-form.tsx'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { DurationField } from '../ui/form/duration-field.tsx'
import { type Keyed, replaceEntry, withKey } from '../ui/form/keyed-list.ts'
import { RemoveButton } from '../ui/form/remove-button.tsx'
import { useSubmitAttempted } from '../ui/form/submit-attempted.ts'
import styles from './release-templates.module.css'
import { createRollout, type MilestoneDraft } from './template-draft.ts'
import { TEMPLATE_TEXTS } from './texts.ts'

const DAY_MINUTES = 1440
const FULL_PERCENTAGE = 100

interface Props {
  /** Position of the milestone, starting at 1. */
  readonly number: number
  readonly milestone: MilestoneDraft
  readonly isLast: boolean
  readonly put: (next: MilestoneDraft) => void
  /** An action is undefined if it is not possible. */
  readonly remove: (() => void) | undefined
  readonly up: (() => void) | undefined
  readonly down: (() => void) | undefined
}

/** Fields of a milestone: name, strategies, and the time after which the next milestone starts. */
export function MilestoneFields({ number, milestone, isLast, put, remove, up, down }: Props) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  return (
    <fieldset className={styles.milestone} aria-label={t.milestone(number)}>
      <div className={styles.head}>
        <TextInput
          className={styles.name ?? ''}
          label={t.milestoneName(number)}
          value={milestone.name}
          maxLength={200}
          required
          onChange={(event) => put({ ...milestone, name: event.currentTarget.value })}
        />
        {up && (
          <ActionIcon variant="default" size={36} aria-label={t.moveUp(number)} title={t.moveUp(number)} onClick={up}>
            <ArrowUp size={16} aria-hidden="true" />
          </ActionIcon>
        )}
        {down && (
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t.moveDown(number)}
            title={t.moveDown(number)}
            onClick={down}
          >
            <ArrowDown size={16} aria-hidden="true" />
          </ActionIcon>
        )}
        {remove && <RemoveButton label={t.removeMilestone(number)} remove={remove} />}
      </div>
      <Strategies
        number={number}
        strategies={milestone.strategies}
        put={(strategies) => put({ ...milestone, strategies })}
      />
      {isLast ? (
        <p className={styles.hint}>{t.lastHint}</p>
      ) : (
        <Time
          number={number}
          minutes={milestone.intervalMinutes}
          put={(intervalMinutes) => put({ ...milestone, intervalMinutes })}
        />
      )}
    </fieldset>
  )
}

interface TimeProps {
  readonly number: number
  readonly minutes: number | null
  readonly put: (minutes: number | null) => void
}

function Time({ number, minutes, put }: TimeProps) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  return (
    <div className={styles.time}>
      <Checkbox
        label={t.isAutomatic}
        checked={minutes !== null}
        mb={8}
        onChange={(event) => put(event.currentTarget.checked ? DAY_MINUTES : null)}
      />
      {minutes !== null && (
        <DurationField
          label={t.after}
          unitLabel={t.unit(number)}
          units={t.units}
          minutes={minutes}
          min={1}
          max={MAX_INTERVAL_MINUTES}
          put={put}
        />
      )}
    </div>
  )
}

interface StrategiesProps {
  readonly number: number
  readonly strategies: MilestoneDraft['strategies']
  readonly put: (strategies: MilestoneDraft['strategies']) => void
}

/** Strategies of a milestone, one of which can be open for editing. */
function Strategies({ number, strategies, put }: StrategiesProps) {
  const t = useCatalogue(TEMPLATE_TEXTS)
  const hasTried = useSubmitAttempted()
  const [open, setOpen] = useState<string>()
  const add = (): void => {
    const one = withKey(createRollout(FULL_PERCENTAGE))
    setOpen(one.key)
    put([...strategies, one])
  }
  return (
    <>
      <p className={styles.label}>{t.strategies}</p>
      <ul className={styles.strategies}>
        {strategies.map((strategy, index) => (
          <StrategyItem
            key={strategy.key}
            labels={{
              edit: t.editStrategy(number, index + 1),
              remove: t.removeStrategy(number, index + 1),
            }}
            strategy={strategy}
            isOpen={open === strategy.key || (hasTried && !isReady(strategy.value))}
            toggle={(isOpen) => setOpen(isOpen ? strategy.key : undefined)}
            put={(next) => put(replaceEntry(strategies, strategy.key, next))}
          />
        ))}
      </ul>
      {strategies.length === 0 && <p className={styles.missing}>{t.noStrategy}</p>}
      <Button variant="default" size="compact-sm" mt={8} aria-label={t.addStrategyTo(number)} onClick={add}>
        {t.addStrategy}
      </Button>
    </>
  )
}

interface ItemProps {
  readonly labels: { readonly edit: string; readonly remove: string }
  readonly strategy: Keyed<StrategyDraft>
  readonly isOpen: boolean
  readonly toggle: (isOpen: boolean) => void
  /** Called with the changed strategy, or with undefined to remove the strategy. */
  readonly put: (next: StrategyDraft | undefined) => void
}

function StrategyItem({ labels, strategy: { value: draft }, isOpen, toggle, put }: ItemProps) {
  const { common } = useTexts()
  const t = useCatalogue(TEMPLATE_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  return (
    <li className={styles.strategy}>
      <div className={styles.line}>
        <p className={styles.sentence}>
          {describeStrategy(words, toStrategyInput(draft) as AdminStrategy, segmentName)}
        </p>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={labels.edit}
          aria-expanded={isOpen}
          onClick={() => toggle(!isOpen)}
        >
          {isOpen ? t.done : common.edit}
        </Button>
        <RemoveButton label={labels.remove} remove={() => put(undefined)} />
      </div>
      {isOpen && (
        <div className={styles.form}>
          <StrategyForm draft={draft} feature="" isDefault put={(change) => put({ ...draft, ...change })} />
        </div>
      )}
    </li>
  )
}
