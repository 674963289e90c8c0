import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { getValueType, type ValueType } from '@burgee/protocol/openfeature/value-type'
import { Alert } from '@mantine/core'
import { useTexts } from '../text/texts.tsx'
import { FLAG_TEXTS } from './texts.ts'

/**
 * Warning that a flag's payloads have different types in different environments. Code that is generated from the
 * manifest supports only one type.
 */
export function ValueTypes({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
  const types = flag.environments.map(({ name, variants, strategies }) => {
    const enabled = strategies.filter(({ disabled }) => !disabled)
    return { name, type: getValueType({ variants, strategies: enabled } as Parameters<typeof getValueType>[0]) }
  })
  const valued = types.filter(({ type }) => type !== 'boolean')
  if (new Set(valued.map(({ type }) => type)).size < 2) return null
  const labels = valued.map(({ name, type }) => t.flag.valuesOf(name, t.flag.valueTypes[type as ValueType]))
  return (
    <Alert color="yellow" role="alert" title={t.flag.valuesDiffer}>
      {t.flag.valuesDifferText(labels.join(', '))}
    </Alert>
  )
}
