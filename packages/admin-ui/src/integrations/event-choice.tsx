import { Checkbox, Input } from '@mantine/core'
import { useState } from 'react'
import { EVENT_TEXTS } from '../events/texts.ts'
import { useCatalogue } from '../text/texts.tsx'
import { FieldGroup } from '../ui/form/field-group.tsx'
import { useSubmitAttempted } from '../ui/form/submit-attempted.ts'
import type { groupEventChoices } from './event-groups.ts'
import styles from './integrations.module.css'
import { INTEGRATION_TEXTS } from './texts.ts'

interface Props {
  readonly choices: ReturnType<typeof groupEventChoices>
  readonly chosen: ReadonlySet<string>
  readonly put: (chosen: ReadonlySet<string>) => void
}

/** Field that selects the events to deliver, by group or one by one. */
export function EventChoice({ choices, chosen, put }: Props) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const hasTried = useSubmitAttempted()
  const choose = (types: readonly string[], isWanted: boolean): void => {
    const rest = [...chosen].filter((one) => !types.includes(one))
    put(new Set(isWanted ? [...rest, ...types] : rest))
  }
  return (
    <FieldGroup title={t.events} hint={t.eventsHint}>
      {hasTried && chosen.size === 0 && (
        <Input.Error role="alert" mb="xs">
          {t.noEvents}
        </Input.Error>
      )}
      {choices.map(([group, types]) => (
        <Group key={group} title={t.groups[group]} types={types} chosen={chosen} choose={choose} />
      ))}
    </FieldGroup>
  )
}

interface GroupProps {
  readonly title: string
  readonly types: readonly string[]
  readonly chosen: ReadonlySet<string>
  readonly choose: (types: readonly string[], isWanted: boolean) => void
}

function Group({ title, types, chosen, choose }: GroupProps) {
  const t = useCatalogue(INTEGRATION_TEXTS)
  const { types: names } = useCatalogue(EVENT_TEXTS).log
  const count = types.filter((type) => chosen.has(type)).length
  const isWhole = count === types.length
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.group}>
      <Checkbox
        label={title}
        checked={isWhole}
        indeterminate={count > 0 && !isWhole}
        onChange={() => choose(types, !isWhole)}
      />
      <details className={styles.single} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary aria-label={`${title}: ${t.chosen(count, types.length)}`}>{t.chosen(count, types.length)}</summary>
        {isOpen && (
          <div className={styles.types}>
            {types.map((type) => (
              <Checkbox
                key={type}
                size="sm"
                label={names[type] ?? type}
                checked={chosen.has(type)}
                onChange={(event) => choose([type], event.currentTarget.checked)}
              />
            ))}
          </div>
        )}
      </details>
    </div>
  )
}
