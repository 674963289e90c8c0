import type { ListedChangeRequest } from '@burgee/protocol/administration/change-request'

/** How many changes a change request holds. */
export function countChanges({ features, segments }: Pick<ListedChangeRequest, 'features' | 'segments'>): number {
  return features.reduce((sum, { changes }) => sum + changes.length, segments.length)
}
