import { ActionIcon, NativeSelect } from '@mantine/core'
import { ArrowLeftRight } from 'lucide-react'
import { useCatalogue } from '../text/texts.tsx'
import styles from './promotion.module.css'
import type { CompareSearch, EnvironmentPair } from './search-params.ts'
import { PROMOTION_TEXTS } from './texts.ts'

interface Props {
  readonly names: readonly string[]
  readonly places: EnvironmentPair
  readonly search: CompareSearch
  readonly go: (next: CompareSearch) => void
}

/** Fields for the two environments to compare. Selecting the same environment in both fields swaps the fields. */
export function EnvironmentPairFields({ names, places: { from, to }, search, go }: Props) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const put = (next: EnvironmentPair): void => go({ ...search, ...next })
  return (
    <div className={styles.places}>
      <NativeSelect
        label={t.from}
        data={[...names]}
        value={from}
        onChange={({ currentTarget: { value } }) => put({ from: value, to: value === to ? from : to })}
      />
      <ActionIcon variant="default" size="lg" aria-label={t.swap} onClick={() => put({ from: to, to: from })}>
        <ArrowLeftRight size={16} aria-hidden="true" />
      </ActionIcon>
      <NativeSelect
        label={t.to}
        data={[...names]}
        value={to}
        onChange={({ currentTarget: { value } }) => put({ from: value === from ? to : from, to: value })}
      />
    </div>
  )
}
