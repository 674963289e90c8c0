import { toCanonicalOperand } from '@burgee/protocol/targeting/canonical-operand'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { listConstraintDifferences } from '@burgee/protocol/targeting/reading-differences'
import { Text } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import { SDK_TEXTS } from './texts.ts'

/** Warnings next to a constraint that official SDKs will interpret differently once it is saved. */
export function ConstraintDifferences({ constraint }: { readonly constraint: ConstraintInput }) {
  const t = useCatalogue(SDK_TEXTS)
  const found = listConstraintDifferences(toCanonicalOperand(constraint)).filter(({ kind }) => kind !== 'malformed')
  return found.map(({ kind }) => (
    <Text key={kind} size="sm" c="var(--warn)" mt={4}>
      {t.differences[kind]}
    </Text>
  ))
}
