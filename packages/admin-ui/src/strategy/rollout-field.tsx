import { Chip, Group, NumberInput, Slider, Text } from '@mantine/core'
import { useId } from 'react'
import { useTexts } from '../text/texts.tsx'
import { RolloutPicture } from './rollout-bar.tsx'
import { STRATEGY_TEXTS } from './texts.ts'

const COMMON_PERCENTAGES = ['1', '5', '10', '25', '50', '100']

interface Props {
  readonly percent: number
  /** Stored percentage; undefined for a new strategy. */
  readonly before: number | undefined
  readonly put: (percent: number) => void
}

/** Field for the rollout percentage: a slider, a number and common values, with a bar of the buckets that change. */
export function RolloutField({ percent, before, put }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const id = useId()
  return (
    <div>
      <Text id={id} fw={600} size="sm" mb={4}>
        {t.strategy.rollout}: {t.strategy.rolloutOf(percent)}
      </Text>
      <Group wrap="nowrap" gap="md" mb="xs">
        <Slider
          flex={1}
          thumbProps={{ 'aria-labelledby': id }}
          value={percent}
          label={t.strategy.rolloutOf}
          onChange={put}
        />
        <NumberInput
          w={84}
          aria-label={t.rollout.number}
          value={percent}
          min={0}
          max={100}
          clampBehavior="strict"
          allowDecimal={false}
          onChange={(value) => value !== '' && put(Number(value))}
        />
      </Group>
      <Chip.Group value={String(percent)} onChange={(value) => put(Number(value))}>
        <Group gap={6} mb="sm" role="group" aria-label={t.rollout.presets}>
          {COMMON_PERCENTAGES.map((value) => (
            <Chip key={value} value={value} size="xs">
              {value}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <RolloutPicture percent={percent} before={before} />
    </div>
  )
}
