import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { FlagEnvironment } from '../api/flags.ts'
import { useCatalogue } from '../text/texts.tsx'
import { ImpactLine } from './impact-line.tsx'
import { IMPACT_TEXTS } from './texts.ts'

interface Props {
  readonly place: FlagEnvironment
  readonly variants: readonly VariantInput[]
  /** True if the variants are valid and can be saved. */
  readonly isReady: boolean
}

/** Effect of saving the variants of an environment. */
export function VariantsImpact({ place, variants, isReady }: Props) {
  const t = useCatalogue(IMPACT_TEXTS)
  return <ImpactLine place={place} isReady={isReady} edit={{ variants: [...variants] }} sentence={t.variants} />
}
