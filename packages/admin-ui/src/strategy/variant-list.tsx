import type { VariantInput } from '@burgee/protocol/targeting/variant'
import { Button, Checkbox, Group, NumberInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../text/texts.tsx'
import { FieldGroup } from '../ui/form/field-group.tsx'
import { type Keyed, replaceEntry, withKey } from '../ui/form/keyed-list.ts'
import entry from '../ui/form/list-entry.module.css'
import { RemoveButton } from '../ui/form/remove-button.tsx'
import { useNewEntryFocus } from '../ui/form/use-new-entry-focus.ts'
import { PayloadEditor } from './payload-editor.tsx'
import { STRATEGY_TEXTS } from './texts.ts'
import { WeightBar } from './weight-bar.tsx'
import { distributeWeights, findWeightProblem, isFixed } from './weights.ts'

interface ListProps {
  readonly variants: readonly Keyed<VariantInput>[]
  readonly put: (variants: readonly Keyed<VariantInput>[]) => void
  readonly hint: string
}

/**
 * Editor for variants with their weights. Variable variants share the remaining weight, so that the sum is always 100
 * %.
 */
export function VariantList({ variants, put, hint }: ListProps) {
  const t = useTexts(STRATEGY_TEXTS)
  const shares = distributeWeights(variants.map(({ value }) => value))
  const problem = findWeightProblem(shares)
  const [added, setAdded] = useState<string>()
  const add = (): void => {
    const name = ['a', 'b', 'c', 'd', 'e', 'f'].find((one) => shares.every((share) => share.name !== one)) ?? ''
    const one = withKey<VariantInput>({ name, weight: 0, weightType: 'variable' })
    setAdded(one.key)
    put([...variants, one])
  }
  return (
    <FieldGroup title={t.strategy.variants} hint={hint}>
      {shares.length > 0 && <WeightBar variants={shares} />}
      {problem !== undefined && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {t.strategy[problem]}
        </Text>
      )}
      {variants.map(({ key, value }, index) => (
        <VariantEditor
          key={key}
          number={index + 1}
          isNew={key === added}
          variant={{ ...value, weight: shares[index]?.weight ?? 0 }}
          put={(next) => put(replaceEntry(variants, key, next))}
        />
      ))}
      <Button variant="default" size="xs" onClick={add}>
        {t.strategy.addVariant}
      </Button>
    </FieldGroup>
  )
}

interface Props {
  readonly number: number
  readonly isNew: boolean
  readonly variant: VariantInput
  readonly put: (next: VariantInput | undefined) => void
}

function VariantEditor({ number, isNew, variant, put }: Props) {
  const t = useTexts(STRATEGY_TEXTS)
  const nameInput = useNewEntryFocus(isNew)
  const fixed = isFixed(variant)
  return (
    <fieldset className={entry.entry} aria-label={t.strategy.variant(number)}>
      <Group gap="xs" align="flex-end">
        <TextInput
          ref={nameInput}
          label={t.common.name}
          value={variant.name}
          required
          className={entry.grow ?? ''}
          onChange={(event) => put({ ...variant, name: event.currentTarget.value })}
        />
        <NumberInput
          label={t.strategy.weight}
          value={variant.weight / 10}
          min={0}
          max={100}
          decimalScale={1}
          w={110}
          onChange={(percent) => {
            const weight = Math.round(Number(percent) * 10)
            if (weight !== variant.weight) put({ ...variant, weight, weightType: 'fix' })
          }}
        />
        <RemoveButton label={t.strategy.removeVariant(variant.name)} remove={() => put(undefined)} />
      </Group>
      <Checkbox
        label={t.strategy.fixed}
        description={t.strategy.fixedHint}
        checked={fixed}
        mt="xs"
        onChange={(event) => put({ ...variant, weightType: event.currentTarget.checked ? 'fix' : 'variable' })}
      />
      <PayloadEditor variant={variant} put={put} />
    </fieldset>
  )
}
