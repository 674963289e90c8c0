import type { ManagedBy } from '@burgee/protocol/administration/managed-by'
import { Alert } from '@mantine/core'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { formatSource } from './format-source.ts'
import { MANAGED_TEXTS } from './texts.ts'

/** Note on the page of a flag that a file describes: repository, commit, path, and whether it was changed by hand. */
export function ManagedBanner({ managedBy }: { managedBy: ManagedBy }) {
  const words = useCatalogue(MANAGED_TEXTS)
  const { ago } = useFormat()
  const { path, driftedAt } = managedBy
  return (
    <Alert color={driftedAt === null ? 'blue' : 'yellow'} title={words.title} mb="md">
      {words.comesFrom(formatSource(managedBy), path)}{' '}
      {driftedAt === null ? words.revert : words.drifted(ago(driftedAt))}
    </Alert>
  )
}
