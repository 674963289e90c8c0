import { Group, NumberInput, Select } from '@mantine/core'
import { useState } from 'react'

const HOUR = 60
const DAY = 1440
const UNITS = { days: DAY, hours: HOUR, minutes: 1 } as const
type Unit = keyof typeof UNITS

interface Props {
  readonly label: string
  /** Accessible name of the unit. */
  readonly unitLabel: string
  readonly units: Readonly<Record<Unit, string>>
  readonly minutes: number
  readonly min: number
  readonly max: number
  readonly disabled?: boolean
  readonly put: (minutes: number) => void
}

/** Field for a duration: a number and a unit. */
export function DurationField({ label, unitLabel, units, minutes, min, max, disabled = false, put }: Props) {
  const [unit, setUnit] = useState<Unit>(() => findUnit(minutes))
  const size = UNITS[unit]
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberInput
        label={label}
        w={110}
        value={minutes / size}
        min={Math.max(min / size, 0)}
        max={Math.floor(max / size)}
        clampBehavior="blur"
        allowNegative={false}
        allowDecimal={false}
        disabled={disabled}
        onChange={(value) => put(value === '' ? 0 : Number(value) * size)}
      />
      <Select
        aria-label={unitLabel}
        w={120}
        data={Object.entries(units).map(([value, text]) => ({ value, label: text }))}
        value={unit}
        allowDeselect={false}
        disabled={disabled}
        onChange={(next) => {
          if (next === null) return
          setUnit(next as Unit)
          put((minutes / size) * UNITS[next as Unit])
        }}
      />
    </Group>
  )
}

/** Returns the largest unit in which a duration is a whole number. */
function findUnit(minutes: number): Unit {
  if (minutes % DAY === 0) return 'days'
  return minutes % HOUR === 0 ? 'hours' : 'minutes'
}
