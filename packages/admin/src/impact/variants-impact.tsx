import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { FlagPlace } from '../api/flags.ts'
import { useCatalogue } from '../text/texts.tsx'
import { ImpactLine } from './impact-line.tsx'
import { IMPACT_TEXTS } from './texts.ts'

interface Props {
  readonly place: FlagPlace
  readonly variants: readonly VariantInput[]
  /** They could be saved as they are. */
  readonly isReady: boolean
}

/** Says what saving the variants of an environment would change there. */
export function VariantsImpact({ place, variants, isReady }: Props) {
  const t = useCatalogue(IMPACT_TEXTS)
  return <ImpactLine {...{ place, isReady }} edit={{ variants: [...variants] }} sentence={t.variants} />
}
