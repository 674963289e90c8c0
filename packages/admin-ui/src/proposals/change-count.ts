import type { ListedChangeRequest } from '@burgee/protocol/administration/change-request'

/** Counts the changes of a change request. */
export function countChanges({ features, segments }: Pick<ListedChangeRequest, 'features' | 'segments'>): number {
  return features.reduce((sum, { changes }) => sum + changes.length, segments.length)
}
